// Layers, losses, containers, initialisers.
#pragma once
#include "rushlight/nn/activation.h"
#include "rushlight/nn/conv.h"
#include "rushlight/nn/functional.h"
#include "rushlight/nn/init.h"
#include "rushlight/nn/layers.h"
#include "rushlight/nn/linear.h"
#include "rushlight/nn/loss.h"
#include "rushlight/nn/module.h"
#include "rushlight/nn/module_list.h"
#include "rushlight/nn/rnn.h"
#include "rushlight/nn/sequential.h"
