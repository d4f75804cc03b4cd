"""The files of a workspace: owner, purpose, and the template of each."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from clawgit.errors import ConfigurationError
from clawgit.memory.entries.tiers import DERIVED_PATHS, RITUAL

FORMAT_VERSION = 2  # 2: another's words in the operator's place have trust `understood`
AGENT_NAMES = (
    "memory-miner",
    "soul-keeper",
    "recall-validator",
    "conflict-detector",
    "memory-compactor",
    "organizer",
    "decay-engine",
    "lessons-extractor",
)
PROMPTS = "agents/"  # of clawgit's own jobs; not memory
# With one of these the folder is not a new workspace: it gets no bootstrap ritual.
IDENTITY = "IDENTITY.md"
NEW_WORKSPACE_SIGNS = ("SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md", "memory", ".git")
BOOTSTRAP = RITUAL
CONFIG = "CONFIG.md"
GITIGNORE = ".gitignore"
FileKind = Literal[
    "identity", "standing", "ritual", "memory", "ledger", "settings", "prompt", "derived", "ignore"
]
_DERIVED = {
    "CHANGELOG.md": ("soul-keeper", "How the identity changed, rendered from history."),
    "COMPACTION_LOG.md": ("memory-compactor", "What was archived or removed, rendered from history."),
    "SOUL_HISTORY/": ("soul-keeper", "Earlier souls to read and compare, rendered from history."),
}
DIRECTORIES = (
    "memory",
    "memory/archive",
    "Archive/Chronicles",
    "Archive/Daily",
    "Archive/Corrections",
    "SOUL_HISTORY",
    *(f"agents/{name}" for name in AGENT_NAMES),
)


class ManifestEntry(NamedTuple):
    """One file or folder of the layout: owner and purpose."""

    path: str
    owner: str
    purpose: str
    kind: FileKind


MANIFEST = (
    ManifestEntry("SOUL.md", "soul-keeper", "Who the agent is: values, limits, manner.", "identity"),
    ManifestEntry("IDENTITY.md", "host", "Name, nature, vibe and emoji.", "identity"),
    ManifestEntry("USER.md", "operator", "Whom the agent serves.", "standing"),
    ManifestEntry("AGENTS.md", "operator", "How to work here, memory above all.", "standing"),
    ManifestEntry("TOOLS.md", "host", "Local facts about tools and machines.", "standing"),
    ManifestEntry("HEARTBEAT.md", "operator", "What to look after when nobody speaks.", "standing"),
    ManifestEntry(BOOTSTRAP, "host", "The first conversation; deleted after it.", "ritual"),
    ManifestEntry("MEMORY.md", "memory-miner", "What the agent must not forget.", "memory"),
    ManifestEntry("memory/learned.md", "memory-miner", "What the host or the outside world said.", "memory"),
    ManifestEntry(
        "memory/lessons.md", "lessons-extractor", "What went wrong once, and what helped.", "memory"
    ),
    ManifestEntry("CORRECTIONS.md", "recall-validator", "What the operator corrected.", "ledger"),
    ManifestEntry("CONFLICTS.md", "conflict-detector", "Entries that contradict each other.", "ledger"),
    ManifestEntry(CONFIG, "operator", "The settings of this workspace.", "settings"),
    ManifestEntry(GITIGNORE, "operator", "What stays out of the history.", "ignore"),
    *(
        ManifestEntry(f"agents/{name}/SOUL.md", "operator", f"The prompt of the {name}.", "prompt")
        for name in AGENT_NAMES
    ),
    *(ManifestEntry(path, *_DERIVED[path], "derived") for path in DERIVED_PATHS),
)


_PACKAGE = Path(__file__).resolve().parents[1]


def data_folder(kind: Literal["templates", "hooks", "docs"]) -> Path:
    """Return the folder of files that are not code; a wheel has them inside the package."""
    for folder in (_PACKAGE / "_data" / kind, _PACKAGE.parent / kind):
        if folder.is_dir():
            return folder
    raise ConfigurationError(f"clawgit's own {kind} are missing.", hint="Install clawgit again.")


def read_template(name: str) -> bytes:
    """Return the template ``name``, such as ``agents/memory-miner/SOUL.md``, byte for byte."""
    path = data_folder("templates") / name
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"The template {name} is missing.", hint="Install clawgit again.") from error
