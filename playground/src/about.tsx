// What this page is and is not.

import type { JSX } from "preact";

export function About({ close }: { readonly close: () => void }): JSX.Element {
  return (
    <dialog
      class="help about-page"
      aria-label="About this page"
      ref={(element) => {
        if (element !== null && !element.open) element.showModal();
      }}
      onClose={close}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="help-text">
        <h2>Nothing is executed</h2>
        <p>
          Your program is planned, not run: codexec goes through it statement by statement and computes the values itself, as
          CPython 3.11 would. It cannot open a file, reach a network, or do anything else to this machine. All of that happens in
          this page. The program is not sent anywhere; a link holds it in its own text.
        </p>
        <h2>Values that nobody knows</h2>
        <p>
          A package that is not there gives made-up values, which are marked with <b>!</b>. What depends on them is one way that
          the program may go. “Make up what is missing” does the same for undefined names, files and input. Of what class each
          value is, the predictors of <code>codexec guide</code> say; another one can be given for each, and the program is planned
          again with it.
        </p>
        <h2>Findings</h2>
        <p>
          Errors that the program may end with are underlined, each with how probable it is and what that rests on. They are those
          of <code>codexec check</code>: input that is not given is made up, and functions that nothing calls are called with
          made-up arguments.
        </p>
        <h2>The network</h2>
        <p>
          All that is known is computed, and no network is asked. “The network answers” lets a small one guess operations instead;
          its answers are marked with <b>≈</b>, and may be wrong. It runs in this page, too; its 7.8 MB are loaded when it is first
          wanted.
        </p>
        <h2>Limits</h2>
        <p>
          A program is planned for up to 5,000 steps, a few seconds and 256 MB. Then its first steps are shown. Floating-point
          functions may differ from CPython’s in the last digit. Packages other than the standard library are not there.
        </p>
        <h2>Keys in the editor</h2>
        <dl>
          <div>
            <dt>
              <kbd>Alt .</kbd>
              <kbd>Alt ,</kbd>
            </dt>
            <dd>Next and previous step</dd>
          </div>
          <div>
            <dt>
              <kbd>F8</kbd>
              <kbd>Shift F8</kbd>
            </dt>
            <dd>Next and previous finding</dd>
          </div>
          <div>
            <dt>
              <kbd>Esc</kbd>
              <kbd>Tab</kbd>
            </dt>
            <dd>Leave the editor</dd>
          </div>
        </dl>
        <p>Outside of it, the keys are those of codexec’s viewer: ? shows them.</p>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
