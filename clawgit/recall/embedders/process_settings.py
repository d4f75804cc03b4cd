"""What processes that run models are told: to use one thread where more would spin, and to report to nobody."""

from __future__ import annotations

# Official builds of onnxruntime report to their maker, unless one of these (which one depends on the version) is set.
QUIET = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ORT_TELEMETRY_DISABLED": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
