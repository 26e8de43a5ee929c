// data: datasets, transforms, samplers and the loader, in libtorch's spelling.
#pragma once
#include "rushlight/data/datasets.h"
#include "rushlight/data/loader.h"
#include "rushlight/data/samplers.h"
#include "rushlight/data/transforms.h"
