"""Writes recorded.json and recorded_kl.json: run it with PyTorch 2.13 installed.

To add a case, append its name and options below and run the file again.
"""

import json
import math
from pathlib import Path

import torch
from torch import distributions

HERE = Path(__file__).parent
CASES = [
    ("Bernoulli", {"probs": [0.2, 0.7]}),
    ("Beta", {"concentration1": [2.0, 0.5], "concentration0": [1.0, 3.0]}),
    ("Binomial", {"total_count": [5.0, 9.0], "probs": [0.3, 0.6]}),
    ("Categorical", {"logits": [[0.1, 0.5, -1.0], [1.0, 0.0, 0.0]]}),
    ("Cauchy", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    ("Chi2", {"df": [3.0, 5.0]}),
    ("ContinuousBernoulli", {"probs": [0.2, 0.7]}),
    ("Dirichlet", {"concentration": [2.0, 1.0, 0.5]}),
    ("Exponential", {"rate": [0.5, 2.0]}),
    ("FisherSnedecor", {"df1": [3.0, 8.0], "df2": [6.0, 9.0]}),
    ("Gamma", {"concentration": [0.5, 3.0], "rate": [1.0, 2.0]}),
    ("GeneralizedPareto", {"loc": [0.0, 1.0], "scale": [1.0, 2.0], "concentration": [0.3, -0.2]}),
    ("Geometric", {"probs": [0.3, 0.6]}),
    ("Gumbel", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    ("HalfCauchy", {"scale": [1.0, 2.0]}),
    ("HalfNormal", {"scale": [1.0, 2.0]}),
    ("InverseGamma", {"concentration": [3.0, 4.0], "rate": [1.0, 2.0]}),
    ("Kumaraswamy", {"concentration1": [2.0, 0.5], "concentration0": [1.0, 3.0]}),
    ("LKJCholesky", {"dim": 3, "concentration": 1.5}),
    ("Laplace", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    ("LogNormal", {"loc": [0.0, 1.0], "scale": [1.0, 0.5]}),
    ("LogisticNormal", {"loc": [0.0, 1.0], "scale": [1.0, 0.5]}),
    (
        "LowRankMultivariateNormal",
        {"loc": [0.0, 1.0, 2.0], "cov_factor": [[1.0], [0.5], [-1.0]], "cov_diag": [1.0, 2.0, 0.5]},
    ),
    ("Multinomial", {"total_count": 6, "probs": [0.2, 0.3, 0.5]}),
    ("MultivariateNormal", {"loc": [0.0, 1.0], "covariance_matrix": [[2.0, 0.5], [0.5, 1.0]]}),
    ("NegativeBinomial", {"total_count": [3.0, 5.0], "probs": [0.3, 0.6]}),
    ("Normal", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    ("OneHotCategorical", {"probs": [0.2, 0.3, 0.5]}),
    ("Pareto", {"scale": [1.0, 2.0], "alpha": [3.0, 4.0]}),
    ("Poisson", {"rate": [2.0, 20.0]}),
    ("RelaxedBernoulli", {"temperature": 0.5, "probs": [0.3, 0.6]}),
    ("RelaxedOneHotCategorical", {"temperature": 0.5, "probs": [0.2, 0.3, 0.5]}),
    ("StudentT", {"df": [3.0, 8.0], "loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    ("Uniform", {"low": [0.0, 1.0], "high": [1.0, 3.0]}),
    ("VonMises", {"loc": [0.0, 1.0], "concentration": [1.0, 4.0]}),
    ("Weibull", {"scale": [1.0, 2.0], "concentration": [1.5, 0.7]}),
    ("Wishart", {"df": 4.0, "covariance_matrix": [[2.0, 0.5], [0.5, 1.0]]}),
]


def make(name, options):
    tensors = {
        k: torch.tensor(v) if isinstance(v, (list, float)) else v for k, v in options.items()
    }
    return getattr(distributions, name)(**tensors)


def flat(tensor):
    return tensor.detach().double().flatten().tolist()


def record(name, options):
    distribution = make(name, options)
    torch.manual_seed(17)
    samples = distribution.sample((3,))
    entry = {
        "name": name,
        "options": options,
        "samples": flat(samples),
        "next": torch.rand(1).item(),
        "log_prob": flat(distribution.log_prob(samples)),
    }
    for what in ("mean", "variance", "entropy"):
        try:
            value = distribution.entropy() if what == "entropy" else getattr(distribution, what)
        except NotImplementedError:
            continue
        finite = all(math.isfinite(v) for v in flat(value))
        entry[what] = flat(value) if finite else None
    return entry


def divergences():
    made = {name: make(name, options) for name, options in CASES}
    for p in made:
        for q in made:
            try:
                value = flat(distributions.kl_divergence(made[p], made[q]))
            except (NotImplementedError, ValueError, RuntimeError):
                continue
            yield [p, q, [v if math.isfinite(v) else str(v) for v in value]]


def main():
    entries = [record(name, options) for name, options in CASES]
    (HERE / "recorded.json").write_text(json.dumps(entries, indent=0))
    (HERE / "recorded_kl.json").write_text(json.dumps(list(divergences()), indent=0))


if __name__ == "__main__":
    main()
