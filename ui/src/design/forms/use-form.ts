import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { isSameValue } from '../../json/equality.ts';
import { forgetDraft, keepDraft, withDraft } from './form-draft.ts';
import { changedMembers, type FieldErrors, failureOf } from './form-state.ts';

export interface FormOptions<Values extends object> {
  /** The values that are stored now; `isDirty` compares with them. */
  readonly initial: Values;
  /** Name of the draft that survives a reload; it begins with the user. Default: no draft is kept. */
  readonly draft?: string | undefined;
  /** Sends the values. Runs once at a time; what it throws is shown at its field or above the form. */
  readonly submit: (values: Values, submission: Submission<Values>) => Promise<unknown>;
  /** Returns the errors found before anything is sent, by field. */
  readonly validate?: ((values: Values) => Partial<Record<keyof Values & string, string | undefined>>) | undefined;
}

/** The values that a submission compares with, and its means to change the form. */
export interface Submission<Values extends object> {
  /** The values that were stored when the form was opened or last saved. */
  readonly stored: Values;
  /** The stored values as the person saw them when they typed over them, which a draft may have outlived. */
  readonly seen: Values;
  /**
   * Makes other values the stored ones, for example those of another person.
   * Members that differ from those of `since` keep what was typed. A submission that does not call it stores the values
   * that it was given.
   */
  readonly rebase: (next: Values, since: Values) => void;
}

/** Properties of a control: `<TextField label="…" {...form.field('name')} />`. */
export interface BoundField<Value> {
  readonly name: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly error: string | undefined;
}

export interface Form<Values extends object> {
  readonly values: Values;
  readonly isDirty: boolean;
  readonly isSubmitting: boolean;
  /** True: the values are those of a draft, until they are saved or reset. */
  readonly isRestored: boolean;
  /** The failure that no field shows, for a ProblemPanel. */
  readonly problem: unknown;
  readonly field: <Name extends keyof Values & string>(name: Name) => BoundField<Values[Name]>;
  readonly set: (values: Partial<Values>) => void;
  /** Returns to values, by default to the stored ones, and forgets errors. */
  readonly reset: (values?: Values) => void;
  /** Handler of `<form onSubmit>`, and of a button outside a form. */
  readonly submit: (event?: SyntheticEvent) => void;
}

interface Outcome {
  readonly errors: FieldErrors;
  readonly problem: unknown;
}

const NO_FAILURE: Outcome = { errors: {}, problem: undefined };

/** Keeps the values of a form, submits them once at a time, and sets each error at its field. */
export function useForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const { initial, draft, submit, validate } = options;
  const [opened] = useState(() =>
    draft === undefined ? { values: initial, seen: initial } : withDraft(draft, initial),
  );
  const [values, setValues] = useState(opened.values);
  const [seen, setSeen] = useState(opened.seen);
  const [stored, setStored] = useState(initial);
  const [isRestored, setRestored] = useState(() => !isSameValue(values, initial));
  const [failure, setFailure] = useState(NO_FAILURE);
  const [isSubmitting, setSubmitting] = useState(false);
  // State arrives with the next drawing: a second press in the same instant is stopped by this.
  const isRunning = useRef(false);

  useEffect(() => {
    if (draft !== undefined) keepDraft(draft, { before: seen, typed: values });
  }, [draft, seen, values]);

  const set = (changes: Partial<Values>) => {
    setValues((present) => ({ ...present, ...changes }));
    setFailure(({ errors, problem }) => ({
      errors: Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in changes))),
      problem,
    }));
  };

  const setOne = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    const change: Partial<Values> = {};
    change[name] = value;
    set(change);
  };

  const fail = (next: Outcome, form: Element | null) => {
    setFailure(next);
    const first = Object.keys(next.errors)[0];
    if (first !== undefined) focusField(form, first);
  };

  const rebase = (next: Values, since: Values) => {
    const typed = changedMembers(values, since);
    setStored(next);
    setValues((present) => ({ ...next, ...changedMembers(present, since) }));
    setSeen((present) => {
      const before = Object.entries(present).filter(([name]) => name in typed);
      return { ...next, ...Object.fromEntries(before) };
    });
    setRestored(Object.keys(typed).length > 0);
  };

  const run = async (form: Element | null) => {
    const found = Object.entries<string | undefined>(validate?.(values) ?? {}).flatMap(([name, error]) =>
      error === undefined ? [] : [[name, error] as const],
    );
    if (found.length > 0) return fail({ errors: Object.fromEntries(found), problem: undefined }, form);
    isRunning.current = true;
    setSubmitting(true);
    setFailure(NO_FAILURE);
    try {
      await submit(values, { stored, seen, rebase });
      setStored((present) => (present === stored ? values : present));
      setSeen((present) => (present === seen ? values : present));
      setRestored(false);
      // A form that its submission closed draws no more, and keeps its last draft otherwise.
      if (draft !== undefined) forgetDraft(draft);
    } catch (cause) {
      fail(failureOf(cause, Object.keys(values)), form);
    }
    isRunning.current = false;
    setSubmitting(false);
  };

  return {
    values,
    isDirty: !isSameValue(values, stored),
    isSubmitting,
    isRestored,
    problem: failure.problem,
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => setOne(name, value),
      error: failure.errors[name],
    }),
    set,
    reset: (next = stored) => {
      setValues(next);
      setSeen(next);
      setStored(next);
      setRestored(false);
      setFailure(NO_FAILURE);
    },
    submit: (event) => {
      event?.preventDefault();
      if (!isRunning.current) void run(event?.currentTarget ?? null);
    },
  };
}

/** Moves the focus to the control of a field, once its error is drawn. */
function focusField(form: Element | null, name: string): void {
  requestAnimationFrame(() => {
    const field = (form ?? document).querySelector(`[data-at="${CSS.escape(name)}"]`);
    field?.querySelector<HTMLElement>('input:not([aria-hidden]), textarea, button, [tabindex="0"]')?.focus();
  });
}
