import { useState } from "react";
import { Link, Navigate, useLocation } from "react-router";
import { Refused } from "../../api/client";
import { signedInBefore, useSession } from "../../api/session";
import { useLogin } from "../../api/sign-in";
import { useHydrated } from "../../hooks/use-hydrated";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { destinationOf, textIn } from "../../parts/destination";
import { Slide, useSteps } from "../../parts/slide";
import { CodeForm } from "./code-form";
import { downloadPage, fileIn } from "../../parts/wanted-file";
import { type Credentials, CredentialsForm } from "./credentials-form";
import { LogIn } from "lucide-react";

/** The login screen. Redirects visitors who are signed in. */
export function Login() {
  const session = useSession();
  const { search, state } = useLocation();
  // the prerendered page knows neither the URL's parameters nor the history
  const hydrated = useHydrated();
  const file = hydrated ? fileIn(search) : null;
  const sent = hydrated && textIn(state, "from") !== "";
  const login = useLogin();
  const [step, go] = useSteps(["credentials", "code"], "credentials");
  const [credentials, setCredentials] = useState<Credentials>(() => ({
    // filled in after a recovery
    username: textIn(state, "username"),
    password: "",
  }));
  const [refusals, setRefusals] = useState(0);
  if (file) return <Navigate to="/login" replace state={{ from: downloadPage(file) }} />;
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
      {/* Drawn anew with the reason, instead of moved by it. */}
      <Slide key={String(sent)} step={step}>
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
            {sent && <SentHere />}
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
          <CodeForm
            username={credentials.username}
            pending={login.isPending}
            problem={problem}
            refusals={refusals}
            onSend={(security_code) => send({ ...credentials, security_code })}
            onBack={() => {
              login.reset();
              go("credentials");
            }}
          />
        )}
      </Slide>
    </AuthFrame>
  );
}

/** Why a visitor who wanted another page is asked to sign in. */
function SentHere() {
  return (
    <output className="mb-5 flex items-center gap-3 rounded-lg border border-info/35 bg-info/10 px-4 py-3 text-sm text-info-alert">
      <LogIn aria-hidden="true" className="size-4 shrink-0 text-info" />
      <span>
        {signedInBefore.recall() ? "You were signed out. Sign in to continue." : "Sign in to continue."}
      </span>
    </output>
  );
}
