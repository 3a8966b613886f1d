"""Writes a model of 300 tokens that says what it is told to: ``make_model.py FILE WORDS_JSON``.

A program in the environment ``tinyserver``. Attention and feed-forward are zero, so the next token depends on the last
one alone: embeddings are unit vectors, and the output matrix leads from each to its follower. The chat template ends
each prompt with a token that says which text is due (answer, tool, after); WORDS_JSON maps those to lists of words,
each of which becomes a token. A text ends after its last word; one whose last word is ``…`` says the one before for
ever.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import gguf
import numpy as np

WIDTH, INNER, CONTEXT = 384, 32, 1024


class Vocabulary:
    """Tokens and the follower of each."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.types: list[int] = []
        self.next: dict[int, int] = {}

    def add(self, text: str, kind: gguf.TokenType) -> int:
        self.texts.append(text)
        self.types.append(kind)
        return len(self.texts) - 1

    def add_text(self, start: str, words: list[str], end: int) -> None:
        last = self.add(start, gguf.TokenType.CONTROL)
        for word in words:
            if word == "…":
                self.next[last] = last
                return
            # A token has one follower, so each word is a token of its own, and no two may be the same text.
            token = self.add(word, gguf.TokenType.USER_DEFINED)
            self.next[last], last = token, token
        self.next[last] = end


def byte_letters() -> list[str]:
    """The 256 bytes as byte-level BPE writes them: visible ones as they are, others moved up."""
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    moved = [byte for byte in range(256) if byte not in seen]
    return [chr(byte) for byte in seen] + [chr(256 + n) for n in range(len(moved))]


def main(file: str, texts: dict[str, list[str]]) -> None:
    words = Vocabulary()
    begin = words.add("<|begin|>", gguf.TokenType.CONTROL)
    end = words.add("<|end|>", gguf.TokenType.CONTROL)
    for letter in byte_letters():
        words.add(letter, gguf.TokenType.NORMAL)
    for start, text in texts.items():
        words.add_text(f"<|{start}|>", text, end)
    size = len(words.texts)
    assert size <= WIDTH
    assert len(set(words.texts)) == size, "two tokens have the same text"

    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(1)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH)
    writer.add_vocab_size(size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(words.texts)
    writer.add_token_types(words.types)
    writer.add_token_merges(["! !"])
    writer.add_bos_token_id(begin)
    writer.add_eos_token_id(end)
    writer.add_add_bos_token(False)
    writer.add_chat_template(Path(__file__).with_name("chat_template.jinja").read_text(encoding="utf-8"))

    output = np.zeros((size, WIDTH), np.float32)
    for token in range(size):
        output[words.next.get(token, end), token] = 4
    tensors = {
        "token_embd": np.eye(size, WIDTH, dtype=np.float32),
        "output": output,
        "output_norm": np.ones(WIDTH, np.float32),
        "blk.0.attn_norm": np.ones(WIDTH, np.float32),
        "blk.0.ffn_norm": np.ones(WIDTH, np.float32),
        **{f"blk.0.attn_{part}": np.zeros((WIDTH, WIDTH), np.float32) for part in ("q", "k", "v", "output")},
        "blk.0.ffn_gate": np.zeros((INNER, WIDTH), np.float32),
        "blk.0.ffn_up": np.zeros((INNER, WIDTH), np.float32),
        "blk.0.ffn_down": np.zeros((WIDTH, INNER), np.float32),
    }
    for name, tensor in tensors.items():
        writer.add_tensor(f"{name}.weight", tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
