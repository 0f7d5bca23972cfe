import { useState } from "react";
import { Link, Navigate, useLocation } from "react-router";
import { Refused } from "../../api/client";
import { useLogin, useSession } from "../../api/session";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { destinationOf } from "../../parts/destination";
import { Slide, useSteps } from "../../parts/slide";
import { CodeForm } from "./code-form";
import { type Credentials, CredentialsForm } from "./credentials-form";

/** The login screen. Redirects visitors who are signed in. */
export function Login() {
  const session = useSession();
  const { state } = useLocation();
  const login = useLogin();
  const [step, go] = useSteps(["credentials", "code"], "credentials");
  const [credentials, setCredentials] = useState<Credentials>({ username: "", password: "" });
  const [refusals, setRefusals] = useState(0);
  if (session.state === "signed-in") return <Navigate to={destinationOf(state)} replace />;

  const send = (typed: Credentials & { security_code?: string }) =>
    login.mutate(typed, {
      onError: (problem) => {
        const code = problem instanceof Refused ? problem.code : undefined;
        if (code === "mfa_required") go("code");
        if (code === "mfa_code_invalid") setRefusals((times) => times + 1);
      },
    });
  // a request for the code is not an error
  const asked = login.error instanceof Refused && login.error.code === "mfa_required";
  const problem = asked ? null : login.error;

  return (
    <AuthFrame>
      <Slide step={step}>
        {step === "credentials" ? (
          <>
            <AuthHeading title="Welcome back">
              New here?{" "}
              <Link
                to="/register"
                state={state}
                className="text-link underline decoration-link/50 underline-offset-4 hover:decoration-link"
              >
                Create an account
              </Link>
            </AuthHeading>
            <CredentialsForm
              pending={login.isPending}
              problem={problem}
              username={credentials.username}
              onSend={(typed) => {
                setCredentials(typed);
                send(typed);
              }}
            />
          </>
        ) : (
          <>
            <AuthHeading title="One more step">
              Signing in as {credentials.username}. Enter the code from your authenticator app.
            </AuthHeading>
            <CodeForm
              pending={login.isPending}
              problem={problem}
              refusals={refusals}
              onSend={(security_code) => send({ ...credentials, security_code })}
              onBack={() => {
                login.reset();
                go("credentials");
              }}
            />
          </>
        )}
      </Slide>
    </AuthFrame>
  );
}
