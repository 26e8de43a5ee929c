"""Sparse tensors in files, pickles and copies: PyTorch's files are read, hostile ones refused."""

import base64
import copy
import io
import pickle
import zlib

import pytest
import rushlight as torch

# Written by torch.save of PyTorch 2.13: a dict of one matrix in four forms; indices that reach outside of the size.
GOOD = (
    "c-qaEO>7%Q7>37o;y9a-xS^0Vln|g47gEPR>%WvX#uW3jg*p=orWBUVdTX0*y!pJ7pjJYvsBDoV2e^O`5`r@~iqr!~4qUi%>j{C>"
    "8-g1%o^`T2sp}+drLMHHoy_yS?>oEueRfF+3?LK=p&dsUO(3nQ*XkR_d_^N#bnTK^ER3P^p5v<j6F`x2fC9Q@flntEWuodjshhT>"
    "HjS0_x>-@}HLYnIDlr<i)s(>REVGSfT{G)fG*Y)3l3F#0YHF9Qbs|Ba9Hup$Wt?UL11%WD5RCND;R5PLLV}@4q&!4R*mR{<H6X+h"
    ">5SE=F7v-hFkJT0B{7hAg0*!RQGx_UmlUM<l|UOFQUZ#v4P%?SZkeW`Go!Y2wplTnM&)!}r%uO@VF(jAfMKFWMQdH5qG@SlOX=Z`"
    "QXCG}Mw9@7N0>sO1&=De7EEr|Sdl3LhcHY#_;URU#UA4}4!7WO3^SVqo@m1?h9}FzogLRq!`6)oJXQ18f)OrX<DnApbgdKS$X1wV"
    "c$lMH?pXp6496UZ`%A)e+~4z#zd7dbI0vEx<}t)-j;DAF5*U)75s=%E!jR^BXg484-Q4c_(SK!Iki)RxwJO62uKI$bdXlN0;;M@T"
    "@)%z904XT&Y%eX*NEA5DfR{N?B=8D`S3SAX@ETWm-BC~&aE1eK5O@>A*>0{<3zjfo0?Tc93&S}lmJV<CilxIlEhuAn*BdJX=c(ub"
    "f%ljwy>l-x(f7IN2Lx0MA9{c+Xgt=66H8}6g#!kGix{e&SUITiSam1XM+~^c0h7QghDJA*)q*t)K%m(M8v|L7mXx8;7eC+l`vwij"
    "&Qi}_Fo_nodO`G})m+txx?wbJ`Y;p=Cxn);rz6fx{B-M&Yb*{sdz+X>nQar!Q?1hOQEjXm4N@#5_v0fiGXsks!=HXC;lHDS1Fl_I"
    "xl9a;b%DFgZ`KJh4d$VB^5&r+RSDkF!x%c{>B{r5VqxJf40P-Igjc_y+x^U(O1DCp7;Bq-oF4Q#jTZ}Hv{OHyN9Za&zs<ASv$pa5"
    "D5XdH)XsWqCyE6bJ>dD1_c6bGukr_6Iq`*~*QV(EsXkujyk1hpLIgd4`=7p#`=7bj_n-SZ{QJYN*JtVb**>0*cs*r{g;}&)eZTPP"
    "6RP`Me*XDy!M~6F&)t6i+1}^3_CKX3e(S&g<E~M#HHY@q|C16^{r#Kjx&Hls1|_x!P$!b-`>R^76bsQknusTonM^t!lVjO*PL@;I"
    "SUM9+r?V+JmP+K}aw3~b$%#yox%}$pr&fgeh;&@~I+v>J(>=$-JDiK(<3-v%fG0iV=m6?9`NbmcAv*0T^0~Xnj>#?7aSy@+o;nkQ"
    "Xy*VHad&qZ^Wa|&B4Kulto!NrviYFE#&@s#wa6y+pgSb6Ns)DTX+c+H<=uOZgakIVd(Xd!Y+7X99nH%g9v0Y)$hy0am;F&>vm)#6"
    "F2X)b0-F<AcaIqN?z4;S@ocys-5KvaJ%ai)m68$+&UIT*;JE7ty7%=jXJ%X<>9*=1`~8c)8{cl>C1o(knQ&)4U;97D_*kd"
)
BAD_COO = (
    "c-o~@U2D@&7(Pk2G-ld$Q}?A#FDq!*WNp(qv=Sv=WMJ1J6mLS79@}8n>?Eg^4UvI#uq(kE@5CE_gZMK9FTE24ulx(1leAfq+3Mzj"
    "a6)*WkCXR(PEAWq0KoI$#L9wMV7O-6>cN$!fsOp`b6Zt1;Aw0fuqJj$RbKC6%k~7_h1*@rZtC8y;d)TVu;V$dfWV;4gRW)R*1mx)"
    "rz7Ysh;`f8bGleSOe0HV2W0`;bR5L?QL2t6awBvC0lg;)Xfl^;qzQ#bDvcIITmTU^oK9;i_$HuqgCQja#5Yo8H+Q?}oW^1#Y-&Jb"
    "H1-fpX{^Q^qVq?l>DV?jsZmdO>^7kbn-49MIK6PQjxrcc*HN}jMB76l)piUVD$V#xBARXc3KyvYIm{)E>7&a>ZAvnS(R>{(4B%VV"
    "K7lRLqNP5%Qb$*hFuHb#mh0$xzNV%5M>n?n79piiZDix-BaO>HbKD&R>pkdt<QymaCsN)|zrMYuUg<NMcL~VHyn}zNlU}wuJFtUQ"
    "Wi>(lPpe#{2C6U6PnJlqV-3uJYG`144?~CcL{-+$qB~r+g|Q8(hyLB~iyTqm#(Kzrd$Clk6jbHTe;63@rUyH9vZ1{Ck@XWe-bpd;"
    "L{yamIKBQsm5|-1y1kFpJQd={>Q008P&XVa`K-TSRiMgW-nX9oz5mNVIvzm($g$f*x0<SwKc$gEsVs_xN=aHRi)&@MP?FY)qAZcu"
    "a!HaavQ(0bYqIFa<lW1!Z*s&(&UeXBv!TyuG_xn1C-2cDIvT+F81gd%Muj;^5)IK(JUA>EliVavGzc>>p0^R6Fn~#Tbb2!}_*@Dk"
    "vXjI{Coqovki?2fY;=aEW7vfWket{gINI9f_?aW%KM!3^<G5SH5l!6=k$hsGVuQUhIgC2zr~bhp`@!uy$pskRuMcW}1CY71fd"
)
BAD_CSR = (
    "c-o~^O>fd*9DgXIKvf3QxfgX#od%Q1$~$u^rkZ-FiL8r;s7dWgg~pEVX&*3~mn92J_6fY{$<N>i@aRcT9=v%_PhLIxJhZU36Ug+R"
    "G!KFQ@8#kD(uxoq10WIshawIpfNUxat*tKAWF)6HU+6p+1CKqiLn+9>St+T7G~Hq(Q(bRqdQGx6Wz$k6q&6+XWFT<TEY;LxUE7wC"
    "W;7Y8t|Cd7w~Q8IV4xbuvQC<fRxA@z9T*hhSaN`lEg-cs3=Acc)i9>8aHd>WA#FpL`$n_AW`D=Pa5aEaSQx1W@u_UKU{nYq$gB!L"
    "2zKBxA<%)x_Z7v^byXoIE#`q)Q%$vYS5vUd6IVqTLvUP#@dg%b&<&e04HJ#1Kp{9mn6T-Sgz40Ng8(KGJT1a08{oL&bwfsdThm>V"
    "44kn^W*w3<gygJEat^^c5uSJ8YuYx3%?p%3?ZFEjcu|Cx5M0=UmqmCbRT09G?a8N4USn4BR0fuL3M}-?oO*7U8#0pGs%hby^W40z"
    "+J_@el-~dPx=ZYnXRy*NC>|&|HIi^I)SDY>6Y*Sjq}X4gkRt}lFX2xLOHe}%BtW@uV0{az2B|C0t^A8_FLVtdT_qkmH^0r$ScM+y"
    "AqH-FrfP}hx$FO7pvN0^PRconqumd0Z%pIQ(<2-$dL5;CE(wmRA8_e@6cY3C?gkmIoAc^sc#Z`}zyD4dlien|?RVuA5sD1e9S19Y"
    "-F~AN|Fr~JhA4k}Q-3(R|K>pEU;w&T_H08*tMOdwh(_2_ZaG&fm2$=9LY~c)irGAy&gV;oVqrN`%xBml{xMr%iOW}$@|`61k?gt*"
    "bX%q8)4eR>hn)N01Aer70Ze(2-veOKdhwIEhj`XQvPyv=o5RoJ9>j!)=d+8azX1Gj_teBZ@JB)5n_WNF-T7YZ4?i~T$GW@Mi+wic"
    "!)E+gcmIuhuwPu*0sp(ZE#^F6F$6|5Y(=2y#a?>{uL1u$>YewTz4SZOTN8A+Tl2`l`ltvY+Qvk?`F8FfoId5-"
)


def unpacked(text):
    return io.BytesIO(zlib.decompress(base64.b85decode(text)))


def example():
    return torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 3))


FORMS = {"coo": example, "coalesced": lambda: example().coalesce(), "csr": lambda: example().to_sparse_csr(),
         "csc": lambda: example().to_sparse_csc()}  # fmt: skip


@pytest.mark.parametrize("trusted", [False, True])
def test_files_of_pytorch_are_read(trusted):
    loaded = torch.load(unpacked(GOOD), weights_only=not trusted)
    assert {name: str(tensor) for name, tensor in loaded.items()} == {name: str(make()) for name, make in FORMS.items()}
    assert not loaded["coo"].is_coalesced() and loaded["coalesced"].is_coalesced()


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("text", [BAD_COO, BAD_CSR])
def test_indices_outside_of_the_size_are_refused(text, trusted):
    with pytest.raises(Exception, match="ind"):
        torch.load(unpacked(text), weights_only=not trusted)


@pytest.mark.parametrize("form", FORMS)
def test_round_trips_keep_layout_and_text(form):
    tensor = FORMS[form]()
    file = io.BytesIO()
    torch.save({"t": tensor}, file)
    file.seek(0)
    for other in (
        torch.load(file)["t"],
        pickle.loads(pickle.dumps(tensor)),
        copy.deepcopy(tensor),
        copy.copy(tensor),
    ):
        assert str(other) == str(tensor) and other.layout is tensor.layout
        if tensor.layout is torch.sparse_coo:
            assert other.is_coalesced() == tensor.is_coalesced()


def test_deepcopy_has_memory_of_its_own():
    tensor = example()
    other = copy.deepcopy(tensor)
    tensor._values().zero_()
    assert other.to_dense().sum() == 12


def test_exchange_without_memory_is_refused():
    tensor = example()
    with pytest.raises(BufferError, match="layout other than torch.strided"):
        tensor.__dlpack__()
    with pytest.raises((BufferError, TypeError)):
        memoryview(tensor)
    with pytest.raises(TypeError, match="Use Tensor.to_dense"):
        tensor.numpy()


def test_module_buffers_are_saved_with_the_module():
    class Graph(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("adjacency", example())

    state = Graph().state_dict()
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    other = Graph()
    other.adjacency = other.adjacency * 0
    other.load_state_dict(torch.load(file))
    assert str(other.adjacency.coalesce()) == str(example().coalesce())
