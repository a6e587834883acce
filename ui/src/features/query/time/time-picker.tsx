import { Clock } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactElement, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { useDisplaySettings } from '../../../design/data/display-settings.ts';
import { zoneName } from '../../../design/data/values/date-format.ts';
import { TextField } from '../../../design/forms/text-field.tsx';
import { Popover } from '../../../design/overlays/popover.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import {
  lastRange,
  rangeProblem,
  readTimeRange,
  type TimeRange,
  timesOf,
  writeTimeRange,
} from '../model/time-range.ts';
import { inputTime, momentOfInput } from './time-input.ts';
import styles from './time-picker.module.css';
import { timeWords } from './time-words.ts';

export interface TimePickerProps {
  /** Undefined: all times. */
  readonly value: TimeRange | undefined;
  readonly onChange: (range: TimeRange | undefined) => void;
  /** End of the last visit, ISO 8601; undefined on the first visit, which offers no range since then. */
  readonly lastVisit?: string | undefined;
}

const PRESETS: readonly (TimeRange | undefined)[] = [
  lastRange('15m'),
  lastRange('1h'),
  lastRange('4h'),
  lastRange('24h'),
  lastRange('7d'),
  lastRange('30d'),
  lastRange('90d'),
  lastRange('1y'),
  { kind: 'dates', from: 'now/d', to: 'now/d' },
  { kind: 'dates', from: 'now-1d/d', to: 'now-1d/d' },
  { kind: 'dates', from: 'now/w', to: 'now/w' },
];

/** Draws the time that a search covers: a button with its name, and the choice of another one. */
export function TimePicker({ value, onChange, lastVisit }: TimePickerProps): ReactElement {
  const { t } = useTranslation();
  const { zone } = useDisplaySettings();
  const [isOpen, setOpen] = useState(false);
  const choose = (range: TimeRange | undefined) => {
    onChange(range);
    setOpen(false);
  };
  const presets = [...(lastVisit === undefined ? [] : [{ kind: 'last_visit' } as const]), ...PRESETS, undefined];
  return (
    <Popover
      title={t('query.time.title')}
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button icon={Clock}>{timeWords(value, zone, t)}</Button>}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs; these are commands. */}
      <div className={styles.presets} role="group" aria-label={t('query.time.presets')} onKeyDown={moveByArrows}>
        {presets.map((range) => (
          <Button
            key={writeTimeRange(range)}
            aria-pressed={writeTimeRange(range) === writeTimeRange(value)}
            onClick={() => choose(range)}
          >
            {timeWords(range, zone, t)}
          </Button>
        ))}
      </div>
      <TypedRange value={value} onChoose={choose} />
      <AbsoluteRange key={String(isOpen)} value={value} lastVisit={lastVisit} onChoose={choose} />
    </Popover>
  );
}

interface RangeFormProps {
  readonly value: TimeRange | undefined;
  readonly onChoose: (range: TimeRange | undefined) => void;
}

/** Takes a range as it is typed: `36h`, `2026-01-15`, `now-7d/d..now`. */
function TypedRange({ value, onChoose }: RangeFormProps): ReactElement {
  const { t } = useTranslation();
  const [text, setText] = useState(() => writeTimeRange(value));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const range = readTimeRange(text);
    if (range === 'not_a_range') setWrong(true);
    else onChoose(range);
  };
  return (
    <form className={styles.line} onSubmit={submit} aria-label={t('query.time.typed')}>
      <TextField
        label={t('query.time.typed')}
        hint={t('query.time.typedHint')}
        error={isWrong ? t('query.time.notARange', { text }) : undefined}
        data
        value={text}
        onChange={(next) => {
          setText(next);
          setWrong(false);
        }}
      />
      <Button type="submit" className={styles.apply}>
        {t('query.filter.apply')}
      </Button>
    </form>
  );
}

/** Takes the two times of a range by the inputs of the browser, in the zone of the reader. */
function AbsoluteRange({
  value,
  lastVisit,
  onChoose,
}: RangeFormProps & { readonly lastVisit: string | undefined }): ReactElement {
  const { t, i18n } = useTranslation();
  const { zone } = useDisplaySettings();
  const [times] = useState(() => timesOf(value, { now: new Date(), lastVisit, zone }));
  const [from, setFrom] = useState(() => inputTime(times.from, zone));
  const [to, setTo] = useState(() => inputTime(times.to, zone));
  const [isBackwards, setBackwards] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [start, end] = [momentOfInput(from, zone), momentOfInput(to, zone)];
    const range: TimeRange | undefined = start || end ? { kind: 'dates', from: start, to: end } : undefined;
    if (rangeProblem(range, { now: new Date() })) setBackwards(true);
    else onChoose(range);
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setBackwards(false);
  };
  const name = zoneName(new Date(), i18n.language, zone);
  return (
    <form className={styles.times} onSubmit={submit} aria-label={t('query.time.absolute')}>
      <TextField
        label={t('query.time.from', { zone: name })}
        type="datetime-local"
        step={1}
        value={from}
        onChange={change(setFrom)}
      />
      <TextField
        label={t('query.time.to', { zone: name })}
        type="datetime-local"
        step={1}
        value={to}
        onChange={change(setTo)}
        error={isBackwards ? t('query.time.backwards') : undefined}
      />
      <Button type="submit">{t('query.filter.apply')}</Button>
    </form>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Moves between the ranges with the arrows; Tab leads to each of them, too. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.findIndex((button) => button.matches(':focus'));
  if (step === undefined || index === -1) return;
  event.preventDefault();
  buttons.at((index + step) % buttons.length)?.focus();
}
