"""Which settings does CONFIG.md give, and which of them has the operator allowed?

Public: settings, config_file, setting_types, strict_yaml.
"""
