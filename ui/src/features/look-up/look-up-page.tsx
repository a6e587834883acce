import { useQuery } from '@tanstack/react-query';
import { PencilLine, Search, X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { keepTextDraft, readTextDraft } from '../../design/forms/form-draft.ts';
import { TextArea } from '../../design/forms/text-area.tsx';
import { Page, Toolbar, ToolbarSpace } from '../../design/layout/page.tsx';
import { SplitPane } from '../../design/layout/split-pane.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands, useKeys } from '../../keys/commands.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import { sourcesQuery } from './ask.ts';
import { AskMenu } from './ask-menu.tsx';
import { worstOpinions } from './findings.ts';
import { FindingsTable } from './findings-table.tsx';
import styles from './look-up.module.css';
import { MarkedText } from './marked-text.tsx';
import { type LookUp, useLookUp } from './use-look-up.ts';

/** Length that the service accepts. */
const MAX_BYTES = 2_097_152;
/**
 * Length above which pasted input is looked up at once: a browser takes half a minute to
 * draw a field of 1 MB.
 */
const LONG = 100_000;

/** Finds the values in pasted input and looks them up by the sources of this installation. */
export function LookUpPage() {
  const { t } = useTranslation();
  const draftName = useDraftName('look-up', undefined);
  const [draft, setDraft] = useState(() => readTextDraft(draftName));
  const sources = useQuery(sourcesQuery);
  const lookUp = useLookUp(sources.data);
  const { text, selectors, isBusy, problem } = lookUp;
  const others = text === undefined || sources.data === undefined ? null : sources.data;
  return (
    <Page
      title={t('lookUp.title')}
      fit="fill"
      actions={others && <AskMenu selectors={selectors} sources={others} onAsk={lookUp.ask} />}
    >
      <div className={styles.page}>
        {sources.error && <ProblemPanel problem={sources.error} onRetry={() => void sources.refetch()} />}
        {problem !== undefined && <ProblemPanel problem={problem} />}
        {text === undefined ? (
          <PasteForm
            draft={draft}
            onDraft={(next) => {
              setDraft(next);
              keepTextDraft(draftName, next);
            }}
            isBusy={isBusy || sources.isPending}
            onSubmit={lookUp.start}
            onCancel={lookUp.cancel}
          />
        ) : (
          <>
            <div className={styles.bar}>
              <Toolbar label={t('lookUp.title')}>
                <Button icon={PencilLine} onClick={lookUp.edit}>
                  {t('lookUp.edit')}
                </Button>
                <span role="status">
                  {t('lookUp.found', { count: selectors.length })}
                  {isBusy ? ` ${t('lookUp.asking')}` : ''}
                </span>
                {isBusy && (
                  <Button kind="quiet" icon={X} onClick={lookUp.cancel}>
                    {t('common.cancel')}
                  </Button>
                )}
                <ToolbarSpace />
                {[...lookUp.errors].map(([source, error]) => (
                  <span key={source} className={styles.error}>
                    {t('lookUp.failed', { source })} {error}
                  </span>
                ))}
              </Toolbar>
            </div>
            {selectors.length === 0 ? (
              <EmptyState title={t('lookUp.nothing')}>{t('lookUp.nothingText')}</EmptyState>
            ) : (
              <div className={styles.body}>
                <Results lookUp={lookUp} text={text} />
              </div>
            )}
          </>
        )}
      </div>
    </Page>
  );
}

interface PasteFormProps {
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  readonly isBusy: boolean;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
}

function PasteForm({ draft, onDraft, isBusy, onSubmit, onCancel }: PasteFormProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const [isTooLong, setTooLong] = useState(false);
  const canSubmit = draft.trim() !== '' && !isTooLong && !isBusy;
  useCommands([
    { id: 'query', name: t('lookUp.paste'), run: () => area.current?.querySelector('textarea')?.focus() },
    { id: 'submit', name: t('lookUp.submit'), run: () => onSubmit(draft), isEnabled: canSubmit },
  ]);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSubmit) onSubmit(draft);
      }}
    >
      <div ref={area} className={styles.area}>
        <TextArea
          label={t('lookUp.paste')}
          hint={t('lookUp.pasteHint')}
          error={isTooLong ? t('lookUp.tooLong') : undefined}
          data
          value={draft}
          onChange={(next) => {
            setTooLong(next.length > MAX_BYTES);
            onDraft(next);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSubmit) onSubmit(draft);
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            if (pasted.length <= LONG) return;
            event.preventDefault();
            if (pasted.length > MAX_BYTES) setTooLong(true);
            else if (!isBusy) onSubmit(pasted);
          }}
        />
      </div>
      <div className={styles.buttons}>
        <Button
          type="submit"
          kind="primary"
          icon={Search}
          disabled={draft.trim() === '' || isTooLong}
          busy={isBusy}
          keys={useKeys('submit')}
        >
          {t('lookUp.submit')}
        </Button>
        {isBusy && (
          <Button kind="quiet" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}

function Results({ lookUp, text }: { readonly lookUp: LookUp; readonly text: string }) {
  const { t } = useTranslation();
  const { selectors, findings } = lookUp;
  const opinions = useMemo(() => worstOpinions(findings), [findings]);
  const [place, setPlace] = useState<number>();
  const [finding, setFinding] = useState<number>();
  return (
    <SplitPane
      name="look-up.text"
      label={t('lookUp.findings')}
      initial={0.6}
      narrow="first"
      first={
        <FindingsTable
          lookUp={lookUp}
          opinions={opinions}
          activeIndex={finding}
          onActive={(index, row) => {
            setFinding(index);
            if (row !== undefined) setPlace(row.selector.start);
          }}
        />
      }
      second={<MarkedText {...{ text, selectors, opinions, place }} onPlace={setPlace} />}
    />
  );
}
