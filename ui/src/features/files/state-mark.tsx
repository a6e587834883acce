import { Mark } from '../../design/data/marks/mark.tsx';
import type { Appearance } from '../../design/data/marks/severity.ts';
import { useTranslation } from '../../i18n/translation.ts';

const APPEARANCES = {
  submitted: { shape: '◐', colour: 'medium', message: 'running' },
  completed: { shape: '●', colour: 'done', message: 'completed' },
  failed: { shape: '▲', colour: 'high', message: 'failed' },
} as const satisfies Record<string, Appearance>;

/** Shows how far the analysis of a submission is; a state of a later version has its name alone. */
export function StateMark({ state }: { readonly state: string }) {
  const { t } = useTranslation();
  const appearance = isKnown(state) ? APPEARANCES[state] : undefined;
  return <Mark appearance={appearance} label={appearance ? t(`files.states.${appearance.message}`) : state} />;
}

function isKnown(state: string): state is keyof typeof APPEARANCES {
  return Object.hasOwn(APPEARANCES, state);
}
