/** A setting is wrong or missing; the message is one sentence that names it and never its value. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** A setting is missing, and none that is set is wrong. */
export class MissingSetting extends ConfigError {}
