# Generated from catalogue/ and codegen/stubs/ by codegen/generate.py; do not edit.
from .spectral_norm import remove_spectral_norm as remove_spectral_norm
from .spectral_norm import spectral_norm as spectral_norm
from .weight_norm import remove_weight_norm as remove_weight_norm
from .weight_norm import weight_norm as weight_norm
_LAZY: dict[str, str]
from . import clip_grad as clip_grad
from . import convert_parameters as convert_parameters
from . import fusion as fusion
from . import init as init
from . import memory_format as memory_format
from . import parametrizations as parametrizations
from . import parametrize as parametrize
from . import prune as prune
from . import rnn as rnn
from . import stateless as stateless
from .clip_grad import clip_grad_norm as clip_grad_norm
from .clip_grad import clip_grad_norm_ as clip_grad_norm_
from .clip_grad import clip_grad_value_ as clip_grad_value_
from .clip_grad import clip_grads_with_norm_ as clip_grads_with_norm_
from .memory_format import convert_conv2d_weight_memory_format as convert_conv2d_weight_memory_format
from .memory_format import convert_conv3d_weight_memory_format as convert_conv3d_weight_memory_format
from .fusion import fuse_conv_bn_eval as fuse_conv_bn_eval
from .fusion import fuse_conv_bn_weights as fuse_conv_bn_weights
from .fusion import fuse_linear_bn_eval as fuse_linear_bn_eval
from .fusion import fuse_linear_bn_weights as fuse_linear_bn_weights
from .clip_grad import get_total_norm as get_total_norm
from .convert_parameters import parameters_to_vector as parameters_to_vector
from .init import skip_init as skip_init
from .convert_parameters import vector_to_parameters as vector_to_parameters

__all__: list[str] = ['clip_grad_norm', 'clip_grad_norm_', 'clip_grad_value_', 'clip_grads_with_norm_', 'convert_conv2d_weight_memory_format', 'convert_conv3d_weight_memory_format', 'fuse_conv_bn_eval', 'fuse_conv_bn_weights', 'fuse_linear_bn_eval', 'fuse_linear_bn_weights', 'get_total_norm', 'parameters_to_vector', 'remove_spectral_norm', 'remove_weight_norm', 'skip_init', 'spectral_norm', 'vector_to_parameters', 'weight_norm']
