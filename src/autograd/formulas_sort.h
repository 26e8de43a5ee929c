// Derivatives of sorting and selection: those of values picked by index.
#pragma once
#include "autograd/formulas_reduce.h"
