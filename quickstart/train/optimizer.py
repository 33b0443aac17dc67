"""Muon for the matrices inside the network, AdamW for the embeddings, biases and norms.

Muon (Jordan 2024) makes each update orthogonal; scaled as in Liu et al. 2025 (arXiv 2502.16982) it shares AdamW's
learning rate. Matrices of one shape are handled in one batched multiplication.
"""

from collections import defaultdict
from typing import Any

import torch
from torch import Tensor, nn

COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonalise(updates: Tensor, rounds: int = 5) -> Tensor:
    """Bring the singular values of a stack of matrices near one, by Newton-Schulz iteration in bfloat16."""
    tall = updates.shape[1] > updates.shape[2]
    wide = (updates.mT if tall else updates).bfloat16()
    wide = wide / (wide.norm(dim=(1, 2), keepdim=True) + 1e-7)
    first, second, third = COEFFICIENTS
    for _ in range(rounds):
        square = wide @ wide.mT
        wide = first * wide + (second * square + third * (square @ square)) @ wide
    return (wide.mT if tall else wide).float()


class Muon(torch.optim.Optimizer):
    """Momentum with orthogonal updates, for two-dimensional parameters."""

    def __init__(self, parameters: list[nn.Parameter], lr: float, momentum: float = 0.95, decay: float = 0.01) -> None:
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # noqa: ARG002
        """Update all parameters that have a gradient."""
        for group in self.param_groups:
            shapes: dict[torch.Size, list[nn.Parameter]] = defaultdict(list)
            for parameter in group["params"]:
                shapes[parameter.shape].append(parameter)
            for shape, alike in shapes.items():
                gradients = [parameter.grad for parameter in alike]
                moments = [self.state[p].setdefault("moment", torch.zeros_like(p)) for p in alike]
                torch._foreach_lerp_(moments, gradients, 1 - group["momentum"])
                looked_ahead = torch._foreach_lerp(gradients, moments, group["momentum"])
                updates = orthogonalise(torch.stack(looked_ahead))
                torch._foreach_mul_(alike, 1 - group["lr"] * group["decay"])
                torch._foreach_add_(alike, list(updates.unbind()), alpha=-group["lr"] * 0.2 * max(shape) ** 0.5)


def build_optimizers(model: nn.Module, owned: list[int], *, muon: bool) -> list[torch.optim.Optimizer]:
    """Share the parameters of the given numbers out between Muon and AdamW."""
    trained = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
    mine = [trained[index] for index in owned]
    matrices = [parameter for name, parameter in mine if muon and parameter.dim() == 2 and "shared" not in name]
    chosen = {id(parameter) for parameter in matrices}
    others = [parameter for _, parameter in mine if id(parameter) not in chosen]
    adam = torch.optim.AdamW(others, lr=1e-3, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.0, fused=True)
    return [adam, Muon(matrices, lr=1e-3)] if matrices else [adam]
