# Generated from catalogue/ and codegen/stubs/ by codegen/generate.py; do not edit.
from .. import _C

fft = _C._fft.fft_fft
ifft = _C._fft.fft_ifft
rfft = _C._fft.fft_rfft
irfft = _C._fft.fft_irfft
hfft = _C._fft.fft_hfft
ihfft = _C._fft.fft_ihfft
fft2 = _C._fft.fft_fft2
ifft2 = _C._fft.fft_ifft2
rfft2 = _C._fft.fft_rfft2
irfft2 = _C._fft.fft_irfft2
hfft2 = _C._fft.fft_hfft2
ihfft2 = _C._fft.fft_ihfft2
fftn = _C._fft.fft_fftn
ifftn = _C._fft.fft_ifftn
rfftn = _C._fft.fft_rfftn
irfftn = _C._fft.fft_irfftn
hfftn = _C._fft.fft_hfftn
ihfftn = _C._fft.fft_ihfftn
fftfreq = _C._fft.fft_fftfreq
rfftfreq = _C._fft.fft_rfftfreq
fftshift = _C._fft.fft_fftshift
ifftshift = _C._fft.fft_ifftshift
