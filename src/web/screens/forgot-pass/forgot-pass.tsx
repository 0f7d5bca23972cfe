import { useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { texts } from "@/contract/vocabulary/texts";
import { isRateLimited, Refused } from "../../api/client";
import { useChoosePassword, useSendCode, useVerifyCode, useVerifyLink } from "../../api/recovery";
import { AuthFrame } from "../../parts/auth-frame";
import { textIn } from "../../parts/destination";
import { MailedLink, useLinkToken } from "../../parts/mailed-link";
import { notify } from "../../page/notices";
import { Slide, useSteps } from "../../parts/slide";
import { CodeStep } from "./code-step";
import { EmailStep } from "./email-step";
import { PasswordStep } from "./password-step";

/** Password recovery: the email address, the emailed code or link, the new password. */
export function ForgotPass() {
  const token = useLinkToken();
  return token ? <ByLink /> : <ByCode />;
}

/** The mailed link, in any browser. */
function ByLink() {
  const navigate = useNavigate();
  const [verifying, choosing] = [useVerifyLink(), useChoosePassword()];
  const choose = (token: string, typed: { password: string; security_code?: string }) =>
    choosing.mutate(
      { token, ...typed },
      {
        onSuccess: ({ data }) => {
          notify("success", data || texts.recoveryDone, "recovery");
          void navigate("/login");
        },
        onError: (problem) => notify("error", sentenceOr(problem, texts.recoveryFailed), "recovery"),
      },
    );
  return (
    <MailedLink
      title="Reset your password?"
      lead="Choose a new one in this browser, within ten minutes."
      action="Continue"
      doing="Checking…"
      mutation={verifying}
      renderBeside={() => null}
      renderDone={(token) => (
        <PasswordStep
          pending={choosing.isPending}
          problem={choosing.error}
          onReset={(typed) => choose(token, typed)}
          onBack={() => void navigate("/forgot-pass", { replace: true })}
        />
      )}
    />
  );
}

/** The code that is mailed to an address, in three steps. */
function ByCode() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [step, go] = useSteps(["email", "code", "password"], "email");
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [sentAt, setSentAt] = useState(0);
  const [refusals, setRefusals] = useState(0);
  const [sending, verifying, choosing] = [useSendCode(), useVerifyCode(), useChoosePassword()];

  const refusedCode = useMemo(() => codeProblem(verifying.error), [verifying.error]);

  const send = (to: string) =>
    sending.mutate(to, {
      onSuccess: ({ data }) => {
        setEmail(to);
        setSentAt(Date.now());
        notify("success", data || texts.recoverySent, "recovery");
        go("code");
      },
      onError: (problem) => notify("error", sentenceOr(problem, texts.recoverySendFailed), "recovery"),
    });
  const verify = (typed: string) =>
    verifying.mutate(
      { email, code: typed },
      {
        onSuccess: ({ data }) => {
          setCode(typed);
          notify("success", data || texts.recoveryVerified, "recovery");
          go("password");
        },
        onError: (problem) => {
          setRefusals((times) => times + 1);
          notify("error", sentenceOr(problem, texts.recoveryCodeInvalid), "recovery");
        },
      },
    );
  const choose = (typed: { password: string; security_code?: string }) =>
    choosing.mutate(
      { email, code, ...typed },
      {
        onSuccess: ({ data }) => {
          notify("success", data || texts.recoveryDone, "recovery");
          // an email signs in like a username
          void navigate("/login", { state: { from: textIn(state, "from"), username: email } });
        },
        onError: (problem) => notify("error", sentenceOr(problem, texts.recoveryFailed), "recovery"),
      },
    );

  return (
    <AuthFrame>
      <Slide step={step}>
        {step === "email" && (
          <EmailStep pending={sending.isPending} problem={sending.error} email={email} onSend={send} />
        )}
        {step === "code" && (
          <CodeStep
            email={email}
            sentAt={sentAt}
            pending={verifying.isPending}
            problem={refusedCode}
            refusals={refusals}
            onConfirm={verify}
            onResend={() => send(email)}
            onBack={() => go("email")}
          />
        )}
        {step === "password" && (
          <PasswordStep
            pending={choosing.isPending}
            problem={choosing.error}
            onReset={choose}
            onBack={() => go("code")}
          />
        )}
      </Slide>
    </AuthFrame>
  );
}

/** A refused code's sentence, at its field; what isn't about the code is only in the toast. */
const codeProblem = (problem: Error | null) =>
  problem instanceof Refused && problem.status < 500 && !isRateLimited(problem)
    ? { message: sentenceOr(problem, texts.recoveryCodeInvalid), field: "code" }
    : null;

/** Prefers the server's own sentence to the fallback. */
const sentenceOr = (problem: Error, fallback: string) =>
  problem.message === "" || problem.message === texts.unknownError ? fallback : problem.message;
