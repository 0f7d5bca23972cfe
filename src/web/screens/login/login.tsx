import { Link, Navigate } from "react-router";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { useLogin, useSession } from "../../api/session";
import { CredentialsForm } from "./credentials-form";

/** Signing in. Whoever is signed in already goes on to the dashboard once that is known. */
export function Login() {
  const session = useSession();
  const login = useLogin();
  if (session.state === "signed-in") return <Navigate to="/dashboard" replace />;
  return (
    <AuthFrame>
      <AuthHeading title="Welcome back">
        New here?{" "}
        <Link
          to="/register"
          className="text-link underline decoration-link/50 underline-offset-4 hover:decoration-link"
        >
          Create an account
        </Link>
      </AuthHeading>
      <CredentialsForm
        pending={login.isPending}
        problem={login.error}
        onSend={(typed) => login.mutate(typed)}
      />
    </AuthFrame>
  );
}
