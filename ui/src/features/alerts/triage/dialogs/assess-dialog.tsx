import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { TextField } from '../../../../design/forms/text-field.tsx';
import { Dialog, DialogFooter } from '../../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Assessment } from '../alert.ts';
import { ASSESSMENT_LETTERS, validAssessments } from '../changes/assessments.ts';
import { countOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import { useTriageSettings } from '../use-analytic.ts';
import type { TriageDialog } from '../use-triage.tsx';
import styles from './dialogs.module.css';

interface Props extends TriageDialogProps {
  readonly dialog: Extract<TriageDialog, { kind: 'assess' }>;
}

/** The key of the dialogue that takes the alert and opens the next. */
const TAKE_KEY = 'n';
const MAX_PRESETS = 9;

/** The parts of a keyboard event that React's own and the browser's share. */
type KeyLike = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'target' | 'preventDefault'>;

/** Draws the assessments with their letters, and a reason with the presets of the analytic. */
export function AssessDialog({ dialog, selection, onClose, onChange, typed }: Props) {
  const { t } = useTranslation();
  const settings = useTriageSettings(selection) ?? {};
  const assessed = typed?.kind === 'assess' ? typed : undefined;
  const [chosen, setChosen] = useState<Assessment | undefined>(assessed?.assessment ?? dialog.first);
  const [rationale, setRationale] = useState(assessed?.rationale ?? '');
  const reason = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // What was typed already is not hidden by an analytic that asks for nothing.
  const asksForReason = settings.skip_rationale !== true || (assessed?.rationale ?? '') !== '';
  const presets = (settings.rationales ?? []).slice(0, MAX_PRESETS);

  const submit = (assessment: Assessment | undefined, why = rationale) => {
    if (assessment !== undefined) onChange({ kind: 'assess', assessment, rationale: why.trim() });
  };
  const choose = (assessment: Assessment) => {
    setChosen(assessment);
    if (asksForReason) reason.current?.focus();
    else submit(assessment);
  };
  const onKeyDown = (event: KeyLike) => {
    if (event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      const preset = presets[Number(event.key) - 1];
      if (preset === undefined) return;
      event.preventDefault();
      setRationale(preset);
      submit(chosen, preset);
    } else if (!(event.target instanceof HTMLInputElement)) {
      const assessment = validAssessments(settings).find((one) => ASSESSMENT_LETTERS[one] === event.key.toLowerCase());
      if (assessment !== undefined) {
        event.preventDefault();
        choose(assessment);
      } else if (event.key === TAKE_KEY && dialog.advances) {
        event.preventDefault();
        onChange({ kind: 'take' });
      } else moveFocus(event, list.current);
    }
  };

  const onEarlyKey = useEffectEvent((event: KeyboardEvent) => {
    // Typed before the focus arrived here: the page must not take it for one of its own keys.
    if (event.target instanceof Element && event.target.closest('[role=dialog]') !== null) return;
    event.stopImmediatePropagation();
    onKeyDown(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onEarlyKey(event);
    addEventListener('keydown', listen, true);
    return () => removeEventListener('keydown', listen, true);
  }, []);

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('alert.assess.title', { count: countOf(selection) })}
      description={t(descriptionKey(asksForReason, dialog.advances === true))}
      initialFocus={chosen === undefined || !asksForReason ? list : reason}
    >
      <form
        className={styles.form}
        onKeyDown={onKeyDown}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit(chosen);
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
        <div ref={list} role="group" tabIndex={-1} aria-label={t('alert.assess.list')} className={styles.grid}>
          {validAssessments(settings).map((assessment) => (
            <Button
              key={assessment}
              keys={ASSESSMENT_LETTERS[assessment]}
              aria-pressed={assessment === chosen}
              onClick={() => choose(assessment)}
            >
              {t(`data.assessment.${assessment}`)}
            </Button>
          ))}
        </div>
        {asksForReason && (
          <TextField
            ref={reason}
            label={t('alert.assess.rationale')}
            optional
            value={rationale}
            onChange={setRationale}
            hint={chosen === undefined ? t('alert.assess.chooseFirst') : undefined}
          />
        )}
        {asksForReason && presets.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
          <div role="group" aria-label={t('alert.assess.presets')} className={styles.presets}>
            {presets.map((preset, index) => (
              <Button key={preset} kind="quiet" keys={`Alt ${index + 1}`} onClick={() => setRationale(preset)}>
                {preset}
              </Button>
            ))}
          </div>
        )}
        <DialogFooter>
          {dialog.advances && (
            <Button keys={TAKE_KEY} onClick={() => onChange({ kind: 'take' })}>
              {t('alert.assess.take')}
            </Button>
          )}
          <Button type="submit" kind="primary" keys="Enter" disabled={chosen === undefined}>
            {t('alert.assess.submit')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function descriptionKey(asksForReason: boolean, advances: boolean) {
  if (asksForReason) return advances ? 'alert.assess.advances' : 'alert.assess.description';
  return advances ? 'alert.assess.advancesAtOnce' : 'alert.assess.atOnce';
}

/** Moves the focus among the buttons of a list by arrows. */
function moveFocus(event: KeyLike, list: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step === undefined || list === null) return;
  event.preventDefault();
  const buttons = [...list.querySelectorAll('button')];
  const present = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons.at((present + step + buttons.length) % buttons.length)?.focus();
}
