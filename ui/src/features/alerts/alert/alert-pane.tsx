import { useRef, useState } from 'react';
import { ApiProblem } from '../../../api/problem.ts';
import { Button } from '../../../design/controls/button.tsx';
import { useTop } from '../../../design/layout/use-top.ts';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { ErrorBoundary } from '../../../design/states/error-boundary.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import type { AlertCopy } from '../triage/alert.ts';
import { targetOf } from '../triage/targets.ts';
import { type TriageControls, useTriage } from '../triage/use-triage.tsx';
import { AlertHeader } from './alert-header.tsx';
import styles from './alert-pane.module.css';
import { ALERT_TABS, type AlertTab } from './alert-tabs.ts';
import { AlertTabs } from './alert-tabs-view.tsx';
import { AlertToolbar } from './alert-toolbar.tsx';
import { alertTriage } from './alert-triage.ts';
import { useAlert } from './use-alert.ts';
import { ValueActionsProvider, type ValueCallbacks } from './values/value-actions.tsx';

export interface AlertPaneProps extends ValueCallbacks {
  readonly id: string;
  readonly onClose: () => void;
  /** Undefined: there is no next alert, or none is known. */
  readonly onNext?: (() => void) | undefined;
  readonly onPrevious?: (() => void) | undefined;
  /** True: a verdict and a take open the next alert (preference of the view). */
  readonly advances?: boolean | undefined;
  /** The triage of the list beside it, which has the commands then; default: the alert's own. */
  readonly triage?: TriageControls | undefined;
  /** True: the page around it has the title of the alert already. */
  readonly isTitled?: boolean | undefined;
  /** The open tab, which the address keeps; default: the overview. */
  readonly tab: AlertTab | undefined;
  readonly onTab: (tab: AlertTab) => void;
}

/** Draws one alert: header, actions, tabs. Beside a list or alone. */
export function AlertPane(props: AlertPaneProps) {
  const { id, onClose } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = useAlert(id);
  const pane = useTop<HTMLElement>(id);
  useCommands([{ id: 'close', run: onClose }]);
  return (
    <section ref={pane} className={styles.pane} aria-label={t('alert.title')}>
      <ErrorBoundary resetKey={id}>
        {data !== undefined && <LoadedAlert {...props} copy={data} />}
        {data === undefined && error === null && <Loading />}
        {error !== null && <Missing error={error} isShown={data !== undefined} onClose={onClose} onRetry={refetch} />}
      </ErrorBoundary>
    </section>
  );
}

interface MissingProps {
  readonly error: Error;
  /** True: an earlier copy is still seen above. */
  readonly isShown: boolean;
  readonly onClose: () => void;
  readonly onRetry: () => unknown;
}

function Missing({ error, isShown, onClose, onRetry }: MissingProps) {
  const { t } = useTranslation();
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <EmptyState title={t('alert.gone.title')} action={<Button onClick={onClose}>{t('common.close')}</Button>}>
        {t(isShown ? 'alert.gone.shown' : 'alert.gone.text')}
      </EmptyState>
    );
  }
  return <ProblemPanel problem={error} onRetry={() => void onRetry()} />;
}

function LoadedAlert(props: AlertPaneProps & { readonly copy: AlertCopy }) {
  const { triage } = props;
  return triage === undefined ? <OwnTriage {...props} /> : <Body {...props} triage={triage} onComment={undefined} />;
}

/** An alert without a list beside it brings its own commands. */
function OwnTriage(props: AlertPaneProps & { readonly copy: AlertCopy }) {
  const { copy, onNext, advances } = props;
  const comment = useRef<() => void>(() => undefined);
  const triage = useTriage({
    selection: [targetOf(copy.alert)],
    onAdvance: onNext,
    advances,
    onComment: () => comment.current(),
  });
  useCommands(triage.commands);
  return (
    <>
      <Body {...props} triage={triage} onComment={comment} />
      {triage.dialogs}
    </>
  );
}

interface BodyProps extends Omit<AlertPaneProps, 'triage'> {
  readonly copy: AlertCopy;
  readonly triage: TriageControls;
  /** Gets the function that moves the focus to the field for a comment. */
  readonly onComment: { current: () => void } | undefined;
}

function Body(props: BodyProps) {
  const { id, copy, tab = 'overview', onTab, isTitled = false, onNext, onPrevious, onClose, onComment } = props;
  const { alert } = copy;
  const triage = alertTriage(alert, props.triage);
  // The pane stays while one walks from alert to alert: its controls are not made again for each.
  const [commentedId, setCommentedId] = useState<string | undefined>(undefined);
  const openTab = (next: AlertTab) => {
    setCommentedId(undefined);
    onTab(next);
  };
  const move = (step: number) => {
    const index = ALERT_TABS.indexOf(tab) + step;
    openTab(ALERT_TABS.at((index + ALERT_TABS.length) % ALERT_TABS.length) ?? 'overview');
  };
  const openComments = () => {
    setCommentedId(id);
    onTab('comments');
  };
  if (onComment !== undefined) onComment.current = openComments;
  useCommands([
    { id: 'previousTab', run: () => move(-1) },
    { id: 'nextTab', run: () => move(1) },
    // With rows selected in the list, its keys are about those.
    ...(onComment === undefined && triage.hasKeys ? [{ id: 'comment' as const, run: openComments }] : []),
  ]);
  return (
    <ValueActionsProvider record={id} callbacks={props}>
      <AlertHeader alert={alert} isTitled={isTitled} onNext={onNext} onPrevious={onPrevious} onClose={onClose} />
      <AlertToolbar alert={alert} triage={triage} onComment={openComments} />
      <AlertTabs
        alert={alert}
        triage={triage}
        tab={tab}
        onTab={openTab}
        focusesComment={commentedId === id}
        isTitled={isTitled}
      />
    </ValueActionsProvider>
  );
}
