import { ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useEnter } from "../../../api/desk/session";
import { Mark } from "../../../parts/mark";
import { forgetOpened } from "../palette/opened";
import { CodeForm } from "./code-form";

/** The code that opens the desk for a signed-in member of staff. */
export function Enter() {
  const enter = useEnter();
  const filled = useCodeOfLink();
  // nobody is on the desk, so its names go
  useEffect(forgetOpened, []);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-6 px-5 py-10">
      <Mark className="size-9 text-link" />
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">Enter the desk</h1>
        <p className="flex items-start gap-2 text-sm text-pretty text-muted-foreground">
          <ShieldCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
          You&apos;ll be signed out after 30 minutes without activity, or after 12 hours.
        </p>
      </div>
      <CodeForm
        label="Enter the desk"
        action="Enter"
        filled={filled}
        pending={enter.isPending}
        problem={enter.error}
        onSend={(code) => enter.mutate(code)}
      />
      <Link
        to="/dashboard"
        className="inline-flex min-h-11 items-center self-start text-sm text-link underline-offset-4 hover:underline"
      >
        Back to your dashboard
      </Link>
    </main>
  );
}

/**
 * The code of a link to the desk, such as `/desk#code=123456`, as the demo's authenticator app makes them; the address
 * forgets it. The form shows it, and sends nothing before a press.
 */
function useCodeOfLink(): string | undefined {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [code] = useState(() => /^#code=(\d{6})$/.exec(hash)?.[1]);
  const isShown = hash.startsWith("#code=");
  useEffect(() => {
    if (isShown) void navigate({ pathname, search }, { replace: true });
  }, [isShown, pathname, search, navigate]);
  return code;
}
