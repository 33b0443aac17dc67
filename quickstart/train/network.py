"""The network: Hugging Face's MarianMTModel, and a faster way to run it in training on a CPU.

`Trainee` computes what MarianMTModel computes, from the same parameters, in bfloat16, with fused projections and cheap
dropout; `SlicedLoss` computes the loss in slices, so that the scores of all words are never in memory at once.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import MarianConfig, MarianMTModel

SLICE = 256
FORBIDDEN = -1e4
HALF = torch.bfloat16


def build_model(pieces: int, *, width: int = 256, encoder: int = 4, decoder: int = 2) -> MarianMTModel:
    """Build a randomly initialised model for `pieces` pieces and one padding symbol, as opus-mt lays it out."""
    config = MarianConfig(
        vocab_size=pieces + 1,
        d_model=width,
        encoder_layers=encoder,
        decoder_layers=decoder,
        encoder_attention_heads=width // 64,
        decoder_attention_heads=width // 64,
        encoder_ffn_dim=4 * width,
        decoder_ffn_dim=4 * width,
        activation_function="relu",
        max_position_embeddings=512,
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        dropout=0.1,
        attention_dropout=0.0,
        eos_token_id=0,
        forced_eos_token_id=0,
        pad_token_id=pieces,
        decoder_start_token_id=pieces,
    )
    model = MarianMTModel(config)
    for parameter in model.parameters():
        if parameter.dim() == 2 and parameter.requires_grad:
            nn.init.xavier_uniform_(parameter)
    model.model.shared.weight.data[pieces] = 0  # the decoder starts from zero, in Marian and in CTranslate2
    generation = model.generation_config
    generation.num_beams, generation.max_length, generation.bad_words_ids = 4, 256, [[pieces]]
    generation.pad_token_id = generation.decoder_start_token_id = pieces
    generation.eos_token_id = generation.forced_eos_token_id = 0
    return model


class Dropout:
    """Dropout by slices of a prepared bank of masks: drawing random numbers for every value is dear on a CPU."""

    def __init__(self, rate: float, seed: int, size: int = 1 << 24) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.bank = (torch.rand(size, generator=generator) >= rate).to(HALF).div_(1 - rate)
        self.generator = generator

    def masks(self, shape: tuple[int, int, int], count: int) -> list[Tensor]:
        """Give `count` masks of one shape."""
        size = math.prod(shape)
        starts = torch.randint((len(self.bank) - size) // 64, (count,), generator=self.generator).tolist()
        return [self.bank[64 * start : 64 * start + size].view(shape) for start in starts]


def linear(states: Tensor, *layers: Any) -> Tensor:
    """Apply linear layers side by side in one multiplication."""
    weight = torch.cat([layer.weight.to(HALF) for layer in layers])
    bias = torch.cat([layer.bias.to(HALF) for layer in layers])
    return functional.linear(states, weight, bias)


def add_and_norm(states: Tensor, change: Tensor, mask: Tensor, norm: Any) -> Tensor:
    """Add a sublayer's dropped-out result and normalise."""
    total = states.float() + (change * mask).float()
    return functional.layer_norm(total, total.shape[-1:], norm.weight, norm.bias).to(HALF)


class Trainee(nn.Module):
    """MarianMTModel up to the last hidden states, for training."""

    def __init__(self, model: MarianMTModel) -> None:
        super().__init__()
        self.body: Any = model.model
        self.heads = model.config.encoder_attention_heads
        self.scale = math.sqrt(model.config.d_model)
        self.register_buffer("positions", self.body.encoder.embed_positions.weight.detach().clone(), persistent=False)

    def attend(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        """Multi-head attention, written out: for short rows the fused kernel's backward pass is slow."""
        split = [
            states.view(states.shape[0], states.shape[1], self.heads, -1).transpose(1, 2)
            for states in (queries, keys, values)
        ]
        scores = torch.matmul(split[0], split[1].transpose(2, 3)).float() * split[0].shape[-1] ** -0.5 + mask
        mixed = torch.matmul(scores.softmax(-1).to(HALF), split[2])
        return mixed.transpose(1, 2).reshape(queries.shape)

    def embed(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """Scaled embeddings plus positions."""
        table = self.body.shared
        embedded = functional.embedding(tokens, table.weight, padding_idx=table.padding_idx)
        return (embedded * self.scale + self.positions[: tokens.shape[1]]).to(HALF) * mask

    def self_attention(self, states: Tensor, layer: Any, mask: Tensor, dropped: Tensor) -> Tensor:
        """Run the first sublayer of encoder and decoder."""
        part = layer.self_attn
        queries, keys, values = linear(states, part.q_proj, part.k_proj, part.v_proj).chunk(3, dim=-1)
        mixed = linear(self.attend(queries, keys, values, mask), part.out_proj)
        return add_and_norm(states, mixed, dropped, layer.self_attn_layer_norm)

    def forward(self, source: Tensor, target: Tensor, mask: Tensor, dropped: list[list[Tensor]]) -> Tensor:
        """Give the decoder's last hidden states for source rows and target rows that begin with the start symbol."""
        sources, targets = iter(dropped[0]), iter(dropped[1])
        states = self.embed(source, next(sources))
        for layer in self.body.encoder.layers:
            states = self.self_attention(states, layer, mask, next(sources))
            wide = functional.relu(linear(states, layer.fc1))
            states = add_and_norm(states, linear(wide, layer.fc2), next(sources), layer.final_layer_norm)
        memory, states = states, self.embed(target, next(targets))
        future = torch.full((target.shape[1], target.shape[1]), FORBIDDEN).triu(1)
        for layer in self.body.decoder.layers:
            states = self.self_attention(states, layer, future, next(targets))
            part = layer.encoder_attn
            keys, values = linear(memory, part.k_proj, part.v_proj).chunk(2, dim=-1)
            mixed = linear(self.attend(linear(states, part.q_proj), keys, values, mask), part.out_proj)
            states = add_and_norm(states, mixed, next(targets), layer.encoder_attn_layer_norm)
            wide = functional.relu(linear(states, layer.fc1))
            states = add_and_norm(states, linear(wide, layer.fc2), next(targets), layer.final_layer_norm)
        return states


def score(logits: Tensor, target: Tensor, weight: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
    """Give the summed cross-entropy (unsmoothed) of some rows and the gradient of the smoothed one by the logits."""
    logits = logits.float()
    largest = logits.amax(-1, keepdim=True)
    powers = (logits - largest).exp()
    total = powers.sum(-1, keepdim=True)
    chosen = logits.gather(1, target[:, None])
    loss = ((total.log() + largest - chosen) * weight[:, None]).sum()
    gradient = (powers / total - smoothing / logits.shape[1]) * weight[:, None]
    words = torch.arange(logits.shape[1])
    gradient = torch.where(words == target[:, None], gradient - (1 - smoothing) * weight[:, None], gradient)
    return loss, gradient.to(HALF)


class SlicedLoss(torch.autograd.Function):
    """Projection to the vocabulary and cross-entropy, SLICE rows at a time; gradients are computed on the way."""

    @staticmethod
    def forward(ctx: Any, states: Tensor, table: Tensor, target: Tensor, smoothing: float, scorer: Any) -> Tensor:
        """Give the mean loss a token."""
        count = len(states)
        filling = -count % SLICE
        states = functional.pad(states, (0, 0, 0, filling))
        target = functional.pad(target, (0, filling))
        weight = torch.ones(len(states))
        weight[count:] = 0
        small = table.to(HALF)
        by_states, by_table = torch.empty_like(states), torch.zeros_like(table)
        loss = torch.zeros(())
        for start in range(0, len(states), SLICE):
            rows = slice(start, start + SLICE)
            part, gradient = scorer(states[rows] @ small.t(), target[rows], weight[rows], smoothing)
            loss += part
            torch.mm(gradient, small, out=by_states[rows])
            by_table += gradient.t() @ states[rows]
        ctx.save_for_backward(by_states[:count].div_(count), by_table.div_(count))
        return loss / count

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None, None]:
        """Hand out the gradients computed in the forward pass."""
        by_states, by_table = ctx.saved_tensors
        return by_states * gradients[0], by_table * gradients[0], None, None, None
