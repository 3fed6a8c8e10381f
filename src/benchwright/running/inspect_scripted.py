"""A model that follows a script: `scripted/module:function`, for runs without network or key.

The function is called with the conversation as plain text turns and the names of the offered tools;
it returns a `Reply`. It is a public fake, and the only one of a model.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.model._model_output import ChatCompletionChoice
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from benchwright.errors import SpecError
from benchwright.running.scripted import Busy, Policy, Refused, Reply, Said

_CHARACTERS_PER_TOKEN = 4


@modelapi(name="scripted")
class Scripted(ModelAPI):
    """Calls a policy for every turn; tokens are counted as a quarter of the characters."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the base class has this default
        **_: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._policy = load_policy(model_name)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        """One turn of the script; a refused request is handed over, as providers of Inspect do."""
        said = tuple(Said(message.role, message.text) for message in input)
        try:
            reply = self._policy(said, tuple(tool.name for tool in tools))
            if inspect.isawaitable(reply):
                reply = await reply
        except Refused as error:
            return error, ModelCall(request={"turns": len(said)})
        return _output(self.model_name, said, reply)

    def should_retry(self, ex: BaseException) -> bool:
        """Whether the policy asked to wait."""
        return isinstance(ex, Busy)

    async def count_text_tokens(self, text: str) -> int:
        """The same estimate that usage is reported with."""
        return _tokens(text)


def load_policy(name: str) -> Policy:
    """The function that `module:function` names; `policy` when only a module is named."""
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function or "policy")
    except (ImportError, AttributeError) as error:
        raise SpecError(
            "no such script",
            value=name,
            where="--model scripted/...",
            hint="Name an importable function as scripted/module:function.",
        ) from error
    policy: Policy = found
    return policy


def _output(model: str, said: tuple[Said, ...], reply: Reply) -> ModelOutput:
    turn = sum(1 for s in said if s.role == "assistant")
    calls = [
        ToolCall(id=f"call-{turn}-{i}", function=name, arguments=dict(arguments))
        for i, (name, arguments) in enumerate(reply.calls)
    ]
    message = ChatMessageAssistant(
        content=reply.text, tool_calls=calls or None, source="generate", model=model
    )
    spent = sum(_tokens(s.text) for s in said)
    written = _tokens(reply.text) + sum(_tokens(str(arguments)) for _, arguments in reply.calls)
    usage = ModelUsage(
        input_tokens=spent,
        output_tokens=written,
        total_tokens=spent + written,
        input_tokens_cache_read=0,
    )
    return ModelOutput(
        model=model,
        choices=[
            ChatCompletionChoice(message=message, stop_reason="tool_calls" if calls else "stop")
        ],
        usage=usage,
    )


def _tokens(text: str) -> int:
    return len(text) // _CHARACTERS_PER_TOKEN + 1
