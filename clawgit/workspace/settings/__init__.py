"""Which settings does CONFIG.md give, and which of them has the operator allowed?

Public: settings, config_file, config_text, setting_types, setting_authority, times_of_day.
"""
