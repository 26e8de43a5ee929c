// The converted weights that autocast keeps until its outermost region ends; each thread has its own.
#pragma once

namespace rushlight::autocast {

void clear_casts();
bool keeps_casts();
void set_keep_casts(bool keep);

}  // namespace rushlight::autocast
