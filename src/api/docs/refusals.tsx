import { refusalCodes, refusals } from "@/contract/vocabulary/refusals";
import { sentenceOf } from "@/core/base/refusal-sentence";

/** Every refusal code with its status and usual sentence. */
export function Refusals() {
  return (
    <section id="refusals" aria-label="Refusals">
      <h2>Refusals</h2>
      <p>
        Why a call may refuse. <code>field</code> names the field that was wrong, when one was; a{" "}
        <code>429</code> says in <code>Retry-After</code> how many seconds to wait.
      </p>
      <ul className="fields">
        {refusalCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
            <span className="type">{refusals[code].status}</span>
            <span className="rules">{sentenceOf({ code })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
