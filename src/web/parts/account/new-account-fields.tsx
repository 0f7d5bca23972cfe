import type { ComponentProps } from "react";
import { Field, SecretField } from "../field";
import { accountHints } from "./account-rules";

/** The name that an account gets. */
export const UsernameField = (props: Pick<ComponentProps<typeof Field>, "ref" | "wrong">) => (
  <Field
    label="Username"
    name="username"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    hint={accountHints.username}
    {...props}
  />
);

/** The password that an account gets. */
export const NewPasswordField = (props: Partial<ComponentProps<typeof SecretField>>) => (
  <SecretField
    label="Password"
    name="password"
    autoComplete="new-password"
    hint={accountHints.password}
    {...props}
  />
);
