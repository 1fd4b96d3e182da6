"""Defaults of options in a file of the user, `config.toml`; what the command line says counts more.

A key is an option without its dashes: `[compare] keep-quotations = true`, `[library.search] top = 20`. A key
before the first section counts for every command that has the option.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import platformdirs
import typer

from simcompare.model.errors import SimcompareError, os_errors_as
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _

CONFIG_VARIABLE = "SIMCOMPARE_CONFIG"
"""Environment variable that names another file."""
_KEYS = "simcompare.keys_of_config_file"
# --no-config would have been read too late
_WITHOUT_DEFAULT = frozenset({"help", "no-config"})


class ConfigError(SimcompareError):
    template = N_("The file of defaults, {path}, cannot be read: {cause}. --no-config leaves it out.")


class UnknownConfigKeyError(SimcompareError):
    template = N_("{path} has “{key}”, which is not an option or command. There can be: {known}.")


class ConfigValueError(SimcompareError):
    template = N_("{path}: {key} cannot be {value}. There can be: {known}.")


def config_path() -> Path:
    named = os.environ.get(CONFIG_VARIABLE)
    return (
        Path(named) if named else platformdirs.user_config_path("simcompare", appauthor=False) / "config.toml"
    )


def use_config(context: typer.Context, left_out: bool) -> bool:
    """Make the values of the file the defaults of the command; callback of --no-config.

    Raises ConfigError, UnknownConfigKeyError, ConfigValueError.
    """
    path = config_path()
    if left_out or context.resilient_parsing or not path.exists():
        return left_out
    given = _read(path)
    names = context.command_path.split()[1:]
    commands: Any = context.find_root().command
    sections = [(given, commands)]
    for name in names:
        section = sections[-1][0].get(name, {})
        sections.append((_table(path, name, section), sections[-1][1].commands[name]))
    options = _options(context.command)
    defaults: dict[str, object] = {}
    keys: dict[str, None] = {}
    for section, command in sections:
        own = getattr(command, "commands", {})
        known = {*own, *_all_options(command)} if own else options
        for key, value in section.items():
            if key not in known:
                listed = ", ".join(sorted(own or options))
                raise UnknownConfigKeyError(path=path, key=escape_invisible(key), known=listed)
            if key in own:
                _table(path, key, value)
            elif key in options:
                defaults[options[key].name] = _value(path, key, options[key], value)
                keys[key] = None
    context.default_map = defaults
    context.meta[_KEYS] = list(keys)
    return left_out


def keys_in_use(context: typer.Context) -> list[str]:
    """Return the keys of the file that the command has as defaults."""
    keys: list[str] = context.meta.get(_KEYS, [])
    return keys


def _read(path: Path) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - few users have such a file

    with os_errors_as(ConfigError, path):
        content = path.read_bytes()
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except ValueError as error:
        raise ConfigError(path=path, cause=str(error)) from error


def _table(path: Path, key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigValueError(path=path, key=key, value=_shown(value), known=f"[{key}]")
    return value


def _options(command: Any) -> dict[str, Any]:
    """Return the options of a command by their names, without dashes."""
    named = (
        (name.removeprefix("--"), each) for each in command.params for name in each.opts if name[:2] == "--"
    )
    return {name: each for name, each in named if name not in _WITHOUT_DEFAULT}


def _all_options(group: Any) -> Iterator[str]:
    for command in group.commands.values():
        yield from _all_options(command) if hasattr(command, "commands") else _options(command)


def _value(path: Path, key: str, option: Any, value: Any) -> object:
    """Return a value as the command line gives it. Raises ConfigValueError if it is of another kind."""
    kind: Any = str | int | float
    known = _allowed(option)
    if option.is_flag:
        kind, known = bool, "true, false"
    elif option.multiple or option.nargs > 1:
        kind, known = list, '["…", "…"]'
    is_right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if not is_right:
        raise ConfigValueError(path=path, key=key, value=_shown(value), known=known)
    if kind is bool:
        return value
    return [str(each) for each in value] if isinstance(value, list) else str(value)


def _allowed(option: Any) -> str:
    choices = getattr(getattr(option, "type_descriptor", None), "choices", None) or ()
    return ", ".join(map(str, choices)) or _("what --help says of it")


def value_error(error: typer.BadParameter) -> SimcompareError | None:
    """Return an error that names the file if a wrong value is from there."""
    context, option = error.ctx, error.param
    if context is None or option is None or not option.name:
        return None
    source = context.get_parameter_source(option.name)
    if source is None or source.name != "DEFAULT_MAP":
        return None
    value = (context.default_map or {}).get(option.name)
    key = option.opts[0].removeprefix("--")
    return ConfigValueError(path=config_path(), key=key, value=_shown(value), known=_allowed(option))


def _shown(value: Mapping[str, Any] | object) -> str:
    return escape_invisible(str(value).lower() if isinstance(value, bool) else repr(value))
