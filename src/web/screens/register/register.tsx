import { useEffect, useRef } from "react";
import { Link, Navigate, useLocation } from "react-router";
import { brand } from "@/brand/brand";
import { useSession } from "../../api/session";
import { useRegister } from "../../api/sign-in";
import { browserTimezone } from "../../api/timezone";
import { privateParameter, usePrivateParameters } from "../../hooks/use-private-parameters";
import { accountHints, brokenRules } from "../../parts/account/account-rules";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { destinationOf } from "../../parts/destination";
import { Field, SecretField } from "../../parts/field";
import { useFilledForm } from "../../hooks/use-filled-form";
import { FindOrderLink } from "../../parts/find-order-link";
import { keyTokenIn, redeemPageOf, mailedKeyProblemText, useMailedKey } from "../../parts/mailed-key";
import { redeemPageWith } from "../../parts/payment/keys";
import { FormAlert } from "../../parts/form-alert";
import { SubmitButton } from "../../parts/submit-button";
import { UseKey } from "./use-key";
import { NewPasswordField, UsernameField } from "../../parts/account/new-account-fields";

const fields = ["username", "email", "password", "key"] as const;

/**
 * Creates an account with a licence key. Signed-in visitors may redeem the key instead; without a key they are
 * redirected.
 */
export function Register() {
  const session = useSession();
  const register = useRegister();
  const location = useLocation();
  if (session.state !== "signed-in") return <RegisterForm register={register} />;
  // if not idle, the key was just used to register
  if (register.isIdle && privateParameter(location, "license_key"))
    return <UseKey username={session.user.username} />;
  const token = register.isIdle ? keyTokenIn(location) : "";
  if (token) return <Navigate to={redeemPageOf(token)} replace />;
  // the form also navigates, to clean the URL, so it must not be mounted now
  return <Navigate to={destinationOf(location.state)} replace />;
}

function RegisterForm({ register }: { register: ReturnType<typeof useRegister> }) {
  const { state } = useLocation();
  const parameters = usePrivateParameters(["license_key", "email"]);
  const { token, problem: lost, ...mailed } = useMailedKey("");
  const email = parameters.email ?? mailed.email;
  const key = parameters.license_key ?? mailed.key;
  const { form, wrong, alert } = useFilledForm(
    fields,
    (typed) => {
      const more = { timezone: browserTimezone(), ...(token && { mailed_token: token }) };
      if (!register.isPending) register.mutate({ ...typed, ...more });
    },
    // all optional, because `check` has its own sentences for empty fields
    { problem: register.error, check: brokenRules, optional: fields },
  );
  const first = useRef<HTMLInputElement>(null);
  const brought = key !== undefined;
  useEffect(() => {
    // after buying, this is what is left to type; never take the focus from somebody who types already
    if (brought && document.activeElement === document.body) first.current?.focus();
  }, [brought]);
  return (
    <AuthFrame>
      <AuthHeading title="Create your account">
        Already have an account?{" "}
        <Link
          to="/login"
          state={signInState({ token, key, state })}
          className="text-link underline decoration-link/50 underline-offset-4 hover:decoration-link"
        >
          Sign in
        </Link>
      </AuthHeading>
      <form className="flex flex-col gap-5" aria-label="Register" {...form}>
        <FormAlert problem={alert ?? (lost && { message: mailedKeyProblemText(lost) })} />
        <UsernameField ref={first} wrong={wrong("username")} />
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          hint={accountHints.email}
          wrong={wrong("email")}
        />
        <NewPasswordField wrong={wrong("password")} />
        <SecretField
          readable
          label="License key"
          name="key"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={`${brand.keyPrefix}-XXXX-XXXX-XXXX-XXXX`}
          defaultValue={key}
          className="font-mono placeholder:font-mono"
          hint={accountHints.key}
          wrong={wrong("key")}
        />
        <SubmitButton call={register} doing="Creating your account…">
          Register
        </SubmitButton>
        <FindOrderLink />
      </form>
    </AuthFrame>
  );
}

type Brought = { token: string; key: string | undefined; state: unknown };

/** An existing account redeems the key that a link brought. */
function signInState({ token, key, state }: Brought): unknown {
  if (token) return { from: redeemPageOf(token) };
  return key ? { from: redeemPageWith(key) } : state;
}
