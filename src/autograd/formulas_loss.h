// The formulas of this family stand with those of pointwise operators.
#pragma once
#include "autograd/formulas_pointwise.h"
