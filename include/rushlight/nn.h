// All of rushlight::nn.
#pragma once
#include "rushlight/nn/conv.h"
#include "rushlight/nn/functional.h"
#include "rushlight/nn/init.h"
#include "rushlight/nn/layers.h"
#include "rushlight/nn/linear.h"
#include "rushlight/nn/module.h"
#include "rushlight/nn/sequential.h"
