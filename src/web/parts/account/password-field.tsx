import type { ComponentProps } from "react";
import { SecretField } from "../field";

/** The password that the account has. */
export const PasswordField = (props: Omit<ComponentProps<typeof SecretField>, "label" | "name">) => (
  <SecretField label="Password" name="password" autoComplete="current-password" {...props} />
);
