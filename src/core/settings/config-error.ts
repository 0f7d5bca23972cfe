/** Something that the operator has to mend; one sentence, which never shows a secret. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** A setting is missing, and none that is set is wrong. */
export class MissingSetting extends ConfigError {}
