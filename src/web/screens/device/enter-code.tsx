import { brand } from "@/brand/brand";
import { type useFindRequest } from "../../api/devices";
import { Refused } from "../../api/client";
import { useFilledForm } from "../../hooks/use-filled-form";
import { AuthHeading } from "../../parts/auth-frame";
import { Field } from "../../parts/field";
import { FormAlert } from "../../parts/form-alert";
import { SubmitButton } from "../../parts/submit-button";
import { readUserCode } from "@/contract/vocabulary/typed-codes";

/** The first step: the code that the application shows. A link may bring it, but only a press sends it. */
export function EnterCode(props: {
  find: ReturnType<typeof useFindRequest>;
  filled: string | null;
  onSend: (code: string) => void;
}) {
  const { find, filled, onSend } = props;
  const { form, wrong, alert } = useFilledForm(
    ["user_code"],
    ({ user_code }) => {
      const code = readUserCode(user_code);
      if (code !== null && !find.isPending) onSend(code);
    },
    { problem: problemOf(find.error), check: broken },
  );
  const mistake = wrong("user_code");
  return (
    <>
      <AuthHeading title="Sign in on a computer">
        {`Enter the code that ${brand.shortName} shows on your computer. You approve it in the next step.`}
      </AuthHeading>
      <form className="flex flex-col gap-5" aria-label="Enter the code" {...form}>
        <FormAlert problem={alert} />
        <Field
          label="Code"
          name="user_code"
          key={filled}
          defaultValue={filled ?? ""}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX"
          className="font-mono text-lg tracking-widest uppercase placeholder:font-mono"
          hint={
            filled === null
              ? undefined
              : "This code came with the link. Check that your computer shows the same one."
          }
          wrong={mistake === true ? "Enter the code" : mistake}
        />
        <SubmitButton call={find} doing="Checking…">
          Continue
        </SubmitButton>
      </form>
    </>
  );
}

const broken = ({ user_code }: { user_code: string }) =>
  readUserCode(user_code) === null
    ? { user_code: "A code has eight letters and no vowels, such as BDWP-HQRS" }
    : {};

/** Codes that nobody asked for, that ended and that were answered are the same to everybody. */
const problemOf = (problem: Error | null) =>
  problem instanceof Refused && problem.status === 404
    ? {
        message:
          "No computer is waiting with this code. Codes expire after 15 minutes: check it, or get a new one in the application.",
        field: "user_code",
      }
    : problem;
