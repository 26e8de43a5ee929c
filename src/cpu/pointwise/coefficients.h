// Polynomials of the vector mathematics: minimax fits with as many coefficients as each type needs.
// Made by codegen/minimax.py, which says how; `error` is the largest part of a result's relative error.
#pragma once

namespace rushlight::pointwise {

template <class T>
struct Coefficients;

template <>
struct Coefficients<float> {
  // (e^r - 1 - r - r^2/2) / r^3 for |r| <= ln2/2; error 2^-31.2
  static constexpr float kExp[] = {0.166666672f, 0.0416664816f, 0.00833328161f, 0.0013933396f, 0.000199098286f};
  // (e^r - 1 - r) / r^2 for |r| <= ln2/2; error 2^-26.2
  static constexpr float kShortExp[] = {0.5f, 0.16666542f, 0.0416662805f, 0.00836664252f, 0.00139466033f};
  // likewise for |r| <= ln2/32; error 2^-29.2
  static constexpr float kTableExp[] = {0.500016212f, 0.166670591f};
  // (2^f - 1) / f for |f| <= 1/2; error 2^-34.3
  static constexpr float kExp2[] = {0.693147182f,   0.240226507f,    0.0555041097f,  0.00961803645f,
                                    0.00133334275f, 0.000154671186f, 1.53156179e-05f};
  // (sinh r - r) / r^3 in r^2, |r| <= ln2/2; error 2^-37.5
  static constexpr float kSinh[] = {0.166666672f, 0.00833328906f, 0.000199050759f};
  // (cosh r - 1 - r^2/2) / r^4 in r^2, |r| <= ln2/2; error 2^-33.2
  static constexpr float kCosh[] = {0.0416664593f, 0.00139354891f};
  // (2 atanh s - 2 s) / s^3 in s^2, s = f / (2 + f), 1 + f in [sqrt(1/2), sqrt(2)]; error 2^-30.2
  static constexpr float kLog[] = {0.666667759f, 0.399773568f, 0.298771262f};
  // (log(1 + f) - f + f^2/2) / f^3, 1 + f in [0.75, 1.5); error 2^-30.0
  static constexpr float kLogShort[] = {0.333333373f,  -0.250001669f, 0.199998468f,   -0.166555494f, 0.142704442f,
                                        -0.127148584f, 0.117368199f,  -0.0925418958f, 0.0388150774f};
  // (log(1 + y) / y - ln2) / (1 - y) on [0, 1]; error 2^-27.5
  static constexpr float kLogOnePlus[] = {0.306852818f,   -0.19314611f,  0.140150666f,   -0.109359242f, 0.0872272179f,
                                          -0.0652971342f, 0.0397843644f, -0.0161795393f, 0.00311440811f};
  // log_2 e times (log(1 + f) - f + 0.390625 f^2) / f^2, 1 + f in [0.75, 1.5); error 2^-30.5
  static constexpr float kShortLog2[] = {-0.157794759f, 0.48089844f,   -0.360678166f, 0.288537234f,  -0.240240589f,
                                         0.205813125f,  -0.183801144f, 0.170166999f,  -0.133511469f, 0.0552728139f};
  // log_10 e times (log(1 + f) - f + 0.390625 f^2) / f^2, 1 + f in [0.75, 1.5); error 2^-30.5
  static constexpr float kShortLog10[] = {-0.0475009419f, 0.144764856f,   -0.108574949f, 0.0868583694f,  -0.0723193586f,
                                          0.0619547814f,  -0.0553276278f, 0.0512234457f, -0.0401896611f, 0.0166378133f};
  // (sin r - r) / r^3 in r^2, |r| <= pi/4; error 2^-28.0
  static constexpr float kSin[] = {-0.166666552f, 0.00833217334f, -0.000195166562f};
  // (atan t - t) / t^3 in t^2, |t| <= 1; error 2^-28.4
  static constexpr float kShortAtan[] = {-0.333333194f, 0.199990883f,   -0.14269504f,  0.109779865f,   -0.0847506449f,
                                         0.0591333248f, -0.0323090851f, 0.0115041165f, -0.00192206632f};
  // (cos r - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4; error 2^-32.4
  static constexpr float kCos[] = {0.0416666493f, -0.00138875144f, 2.44527964e-05f};
  // (atan t - t) / t^3 in t^2, |t| <= tan(pi/8); error 2^-30.5
  static constexpr float kAtan[] = {-0.333333164f, 0.199984789f, -0.142436296f, 0.105942734f, -0.0607882664f};
  // (asin x - x) / x^3 in x^2, |x| <= 1/2; error 2^-31.7
  static constexpr float kAsin[] = {0.166666612f,  0.0750047117f, 0.0445218496f,
                                    0.0317740291f, 0.0145475864f, 0.037382137f};
  // (erf(x) / x - 2 / sqrt(pi)) / x^2 in x^2, |x| <= 1/2; error 2^-36.0
  static constexpr float kErf[] = {-0.376126379f, 0.112837769f, -0.0268633962f, 0.0052014445f, -0.000770972401f};
  // (q(t) - q(0)) / t, q = e^(a^2) erfc(a) (1 + 2a), t = (a - 3) / (a + 3), a >= 1/2; error 2^-32.8
  static constexpr float kErfc[] = {-0.135621101f,    -0.04756229f,     0.129645064f,  -0.119273797f,
                                    0.0683092698f,    -0.023769388f,    0.0025219766f, 0.00188448478f,
                                    -0.000758077949f, -9.79505785e-05f, 9.3434217e-05f};
  // digamma(x) / (x - its root) in x - 3/2, x from 1 to 2; error 2^-28.0
  static constexpr float kDigamma[] = {0.951055884f,  -0.423627496f,  0.240542546f,  -0.148398787f,
                                       0.0949820876f, -0.0620571338f, 0.0408792719f, -0.025780635f,
                                       0.016980527f,  -0.0163847711f, 0.0111185992f};
  // (log x - 1/(2 x) - digamma(x)) x^2 in 1/x^2, x >= 2; error 2^-30.2
  static constexpr float kDigammaTail[] = {0.0833332539f, -0.00832850393f, 0.00386737543f, -0.00316926115f,
                                           0.00206402107f};
  // (pi cot(pi v) - 1/v) / v in v^2, |v| <= 1/2; error 2^-28.0
  static constexpr float kCotangent[] = {-3.28986883f, -2.16455817f,   -2.03785276f, -1.95655513f,
                                         -2.43700862f, -0.0746329352f, -5.98897934f};
  // e^(a^2/2) Phi(-a) / u in u = 1 / (1 + a/4), for half types; error 2^-18.6
  static constexpr float kGeluTail[] = {0.0993180647f, 0.106153235f, 0.0532867275f, 0.213447064f,
                                        -0.180592552f, 0.285148472f, -0.0767597258f};
  // (e^r - 1 - r) / r^2 for |r| <= ln2/2, for half types; error 2^-17.5
  static constexpr float kExpOfHalf[] = {0.499989182f, 0.167541161f, 0.0419241302f};
  // ln 2, its head exact in products with exponents
  static constexpr float kLn2[] = {0.693145752f, 1.42860677e-06f};
  // ln 2 / 16
  static constexpr float kLn2Over16[] = {0.0433216989f, -1.19040888e-10f};
  // likewise log10 2
  static constexpr float kLog10Of2[] = {0.30103302f, -3.02435546e-06f};
  // log2 e
  static constexpr float kLog2OfE[] = {1.44269502f, 1.92596303e-08f};
  // log10 e
  static constexpr float kLog10OfE[] = {0.434294492f, -1.010305e-08f};
  // pi / 2
  static constexpr float kHalfPi[] = {1.57079637f, -4.37113883e-08f, -1.71512451e-15f};
  // pi / 4
  static constexpr float kQuarterPi[] = {0.785398185f, -2.18556941e-08f};
  // 2 / sqrt(pi)
  static constexpr float kErfSlope[] = {1.12837923f, -5.86353828e-08f};
  // q(0) of kErfc
  static constexpr float kErfcCentre[] = {1.25300801f, 5.02664932e-08f};
  // what the first coefficient of kSin lacks
  static constexpr float kSinLow[] = {3.68958841e-09f};
  // likewise kCos
  static constexpr float kCosLow[] = {1.22073363e-09f};
  // the positive root of digamma
  static constexpr float kDigammaRoot[] = {1.46163213f, 1.24381501e-08f};
  // likewise kExp2
  static constexpr float kExp2Low[] = {-1.92402472e-09f};
};

template <>
struct Coefficients<double> {
  // (e^r - 1 - r - r^2/2) / r^3 for |r| <= ln2/2; error 2^-61.7
  static constexpr double kExp[] = {0.16666666666666677,   0.04166666666666669,    0.008333333333321613,
                                    0.001388888888887021,  0.00019841269886223465, 2.4801587355958492e-05,
                                    2.755724406877466e-06, 2.7557245710396413e-07, 2.5109098142468544e-08,
                                    2.092372118047396e-09};
  // (sinh r - r) / r^3 in r^2, |r| <= ln2/2; error 2^-61.7
  static constexpr double kSinh[] = {0.16666666666666677, 0.008333333333321532, 0.0001984126988640132,
                                     2.7557243910325995e-06, 2.5109148139149118e-08};
  // (cosh r - 1 - r^2/2) / r^4 in r^2, |r| <= ln2/2; error 2^-69.2
  static constexpr double kCosh[] = {0.04166666666666667, 0.0013888888888880738, 2.4801587334798803e-05,
                                     2.7557263593567786e-07, 2.091829945843911e-09};
  // (2 atanh s - 2 s) / s^3 in s^2, s = f / (2 + f), 1 + f in [sqrt(1/2), sqrt(2)]; error 2^-66.5
  static constexpr double kLog[] = {0.6666666666666666, 0.40000000000004665, 0.28571428569460505, 0.22222222602690747,
                                    0.1818177852235754, 0.15386987180517117, 0.13252088508736234, 0.13236018786735085};
  // (sin r - r) / r^3 in r^2, |r| <= pi/4; error 2^-68.6
  static constexpr double kSin[] = {-0.16666666666666666,  0.008333333333333325,   -0.00019841269841256768,
                                    2.755731921490818e-06, -2.505210506935077e-08, 1.6058384019553678e-10,
                                    -7.579457797777978e-13};
  // (cos r - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4; error 2^-62.9
  static constexpr double kCos[] = {0.04166666666666666,     -0.0013888888888882582, 2.4801587294150593e-05,
                                    -2.7557315567031073e-07, 2.0875874032460646e-09, -1.1366849576917836e-11};
  // (atan t - t) / t^3 in t^2, |t| <= tan(pi/8); error 2^-64.0
  static constexpr double kAtan[] = {-0.3333333333333333,  0.19999999999998758,  -0.14285714285493878,
                                     0.11111111093552019,  -0.0909090830782632,  0.07692285943011458,
                                     -0.06666268039250213, 0.05877381637029355,  -0.05220489301763158,
                                     0.04511249779818303,  -0.03363853066099418, 0.015348644208749013};
  // (asin x - x) / x^3 in x^2, |x| <= 1/2; error 2^-63.6
  static constexpr double kAsin[] = {
      0.16666666666666666,   0.07500000000001181,  0.04464285714091442,   0.030381944585839198, 0.02237215332057931,
      0.017352912302802316,  0.01396230869233166,  0.01158194161384228,   0.009508500825825668, 0.009896426474358861,
      0.0010429866043222878, 0.024072092149257162, -0.025217617668821236, 0.033128209582049255};
  // (erf(x) / x - 2 / sqrt(pi)) / x^2 in x^2, |x| <= 1/2; error 2^-64.9
  static constexpr double kErf[] = {-0.37612638903183754,    0.11283791670954987,    -0.02686617064504179,
                                    0.005223977622791816,    -0.0008548326592859094, 0.00012055291403441499,
                                    -1.4923197729792494e-05, 1.637518739556569e-06,  -1.465465236222805e-07};
  // (q(t) - q(0)) / t, q = e^(a^2) erfc(a) (1 + 2a), t = (a - 3) / (a + 3), a >= 1/2; error 2^-59.5
  static constexpr double kErfc[] = {
      -0.1356211061245812,     -0.04756229435345083,    0.1296451587027627,     -0.11927366341530705,
      0.06830802734392209,     -0.02377051491860836,    0.002529391816672842,   0.0018886903569748717,
      -0.0007798322741535922,  -0.00010515976276620525, 0.00012509933901307671, 4.949179755011608e-06,
      -2.0100400863218874e-05, -7.300772477459356e-07,  3.4716292902351525e-06, 3.527522427162931e-07,
      -6.145812454890092e-07,  -1.3444541121527315e-07, 9.8668377013043e-08,    3.437884562784087e-08,
      -1.0599248207413418e-08, -4.397193447155628e-09};
  // (sin r - r) / r^3 in r^2, |r| <= pi/2; for float32 results; error 2^-35.6
  static constexpr double kShortSin[] = {-0.16666666631463087, 0.008333331310790705, -0.00019840892271858135,
                                         2.75265172664213e-06, -2.3907340223504515e-08};
  // erfinv(x) / x in w - 5/2, w = -log(1 - x^2) <= 5; for float32 results; error 2^-30.6
  static constexpr double kShortErfinv[] = {1.501409351710189,       0.24664027684084383,    -0.004177324778701123,
                                            -0.0012527082753327498,  0.00021826374163880563, -4.995699548377268e-06,
                                            -3.4260955370876746e-06, 4.785751773396013e-07,  1.6472649283070727e-08,
                                            -1.0842818720741615e-08, 4.360325777943688e-10,  1.2233262165562598e-10};
  // erfinv(x) / x in sqrt(w) - 3, w from 5 to 17; for float32 results; error 2^-29.5
  static constexpr double kShortErfinvTail[] = {2.8329768019851724,    1.0016752482546105,      0.009445275409505667,
                                                -0.007643007776907025, 0.005687972166405266,    -0.003565741974643745,
                                                0.00147398350474135,   -0.00012280532135039668, -0.0002753417613860073,
                                                0.0001624485480625805, -3.103466560477108e-05};
  // erfinv(x) / x in w - 5/2, w = -log(1 - x^2) <= 5; a first guess; error 2^-26.7
  static constexpr double kErfinv[] = {1.5014093588097954,     0.24664029617148372,    -0.004177384200659573,
                                       -0.00125276395234311,   0.0002183422983253958,  -4.9503381174105365e-06,
                                       -3.462143908311794e-06, 4.6334766260770497e-07, 2.3187129887869795e-08,
                                       -8.587654317233872e-09};
  // erfinv(x) / x in sqrt(w) - 4, w from 5 on; a first guess; error 2^-24.7
  static constexpr double kErfinvTail[] = {3.839783897201256,       1.0094928968980825,     0.001257428216885674,
                                           -0.0008659317564873493,  0.00033028983701045476, -0.00012597387193669343,
                                           4.272004159194964e-05,   -2.271394897949722e-05, 2.649299066368207e-05,
                                           -1.5023440871527235e-05, 1.1867878922660746e-06, 1.5302308318123145e-06,
                                           -3.6091361854836015e-07};
  // ln 2, its head exact in products with exponents
  static constexpr double kLn2[] = {0.6931471805598903, 5.497923018708371e-14};
  // likewise log10 2
  static constexpr double kLog10Of2[] = {0.30102999566395283, 2.8363394551044964e-14};
  // log2 e
  static constexpr double kLog2OfE[] = {1.4426950408889634, 2.0355273740931033e-17};
  // log10 e
  static constexpr double kLog10OfE[] = {0.4342944819032518, 1.098319650216765e-17};
  // pi / 2
  static constexpr double kHalfPi[] = {1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33};
  // pi / 4
  static constexpr double kQuarterPi[] = {0.7853981633974483, 3.061616997868383e-17};
  // 2 / sqrt(pi)
  static constexpr double kErfSlope[] = {1.1283791670955126, 1.533545961316588e-17};
  // q(0) of kErfc
  static constexpr double kErfcCentre[] = {1.2530080582697296, 4.5276203702746546e-17};
  // what the first coefficient of kSin lacks
  static constexpr double kSinLow[] = {-9.076777833859891e-18};
  // likewise kCos
  static constexpr double kCosLow[] = {-1.166030598927907e-18};
};

}  // namespace rushlight::pointwise
