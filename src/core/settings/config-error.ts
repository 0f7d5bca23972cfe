/** A setting is wrong or missing; the message is one sentence that names it and never its value. */
export class ConfigError extends Error {
  override name = "ConfigError";
}
