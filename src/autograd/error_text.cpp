// How nodes and tensors are called in error texts.
#include "autograd/error_text.h"

#include <cctype>

namespace rushlight {

std::string short_name(const Node& node) {
  std::string text = node.name();
  const std::size_t at = text.rfind("Backward");
  if (at != std::string::npos && at > 0 && at + 9 >= text.size()) text.resize(at);
  return text;
}

std::string node_title(std::string_view op) {
  std::string text;
  bool upper = true;
  for (const char letter : op) {
    if (letter != '_') text += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    upper = letter == '_';
  }
  return text + "Backward0";
}

std::string typed_shape(const TensorBase& tensor) {
  return str("torch.", scalar_type_name(tensor.dtype()), "Tensor ", tensor.sizes());
}

}  // namespace rushlight
