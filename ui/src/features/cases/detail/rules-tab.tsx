import { PencilLine, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { UserName } from '../../../design/data/values/user-name.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Switch } from '../../../design/forms/choices/switch.tsx';
import { SimpleTable } from '../../../design/layout/simple-table.tsx';
import { ConfirmDialog } from '../../../design/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { type CaseRule, caseApi } from '../case-api.ts';
import { BackfillDialog } from './backfill-dialog.tsx';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';
import { RuleForm } from './rule-form.tsx';

/** Rules that put arriving records into the case; a switch is written at once. */
export function RulesTab({ present: { case_id: id, rules = [] }, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const [filled, setFilled] = useState<CaseRule | undefined>(undefined);
  const [edited, setEdited] = useState<CaseRule | undefined>(undefined);
  const [removed, setRemoved] = useState<CaseRule | undefined>(undefined);
  const toggle = ({ rule_id, enabled: seen }: CaseRule, enabled: boolean) => {
    const change = { seen: { enabled: seen }, change: { enabled }, overwrites: true };
    return changes.run(() => caseApi.changeRule(id, rule_id, change));
  };
  const add = (
    <Button icon={Plus} onClick={() => setAdding(true)}>
      {t('cases.rules.add')}
    </Button>
  );
  return (
    <div className={styles.tab}>
      {rules.length === 0 ? (
        <EmptyState title={t('cases.rules.none')} action={add}>
          {t('cases.rules.noneText')}
        </EmptyState>
      ) : (
        <>
          <div>{add}</div>
          <SimpleTable
            isPageList
            label={t('cases.tabs.rules')}
            rows={rules}
            keyOf={(rule) => rule.rule_id}
            columns={[
              {
                id: 'enabled',
                title: t('cases.rules.enabled'),
                cell: (rule) => (
                  <Switch
                    label={t('cases.rules.enabledOf', { query: rule.query.slice(0, 80) })}
                    labelHidden
                    value={rule.enabled}
                    onChange={(next) => void toggle(rule, next)}
                  />
                ),
              },
              { id: 'query', title: t('cases.rules.query'), cell: ({ query }) => <Value value={query} lines /> },
              {
                id: 'destination',
                title: t('cases.rules.destination'),
                cell: ({ destination }) => <Value value={destination} />,
              },
              { id: 'life', title: t('cases.rules.timeframe'), cell: (rule) => <Life rule={rule} /> },
              { id: 'author', title: t('cases.rules.author'), cell: ({ author }) => <UserName user={author} /> },
              {
                id: 'created',
                title: t('cases.columns.created'),
                cell: ({ created_at: created }) => <Time value={created} />,
              },
              {
                id: 'actions',
                cell: (rule) => (
                  <span className={styles.line}>
                    <Button kind="quiet" disabled={!rule.enabled} onClick={() => setFilled(rule)}>
                      {t('cases.rules.backfill')}
                    </Button>
                    <IconButton
                      icon={PencilLine}
                      small
                      label={t('cases.rules.editOf', { query: rule.query.slice(0, 80) })}
                      onClick={() => setEdited(rule)}
                    />
                    <IconButton
                      icon={Trash2}
                      small
                      label={t('cases.rules.removeOf', { query: rule.query.slice(0, 80) })}
                      onClick={() => setRemoved(rule)}
                    />
                  </span>
                ),
              },
            ]}
          />
        </>
      )}
      <Dialog open={isAdding} onClose={() => setAdding(false)} title={t('cases.rules.add')}>
        <RuleForm
          caseId={id}
          onCancel={() => setAdding(false)}
          onSave={async (rule) => {
            await changes.write(() => caseApi.addRule(id, rule));
            setAdding(false);
          }}
        />
      </Dialog>
      <Dialog open={edited !== undefined} onClose={() => setEdited(undefined)} title={t('cases.rules.edit')}>
        {edited === undefined ? null : (
          <RuleForm
            caseId={id}
            rule={edited}
            onCancel={() => setEdited(undefined)}
            onSave={async ({ indexes: _fixed, ...change }) => {
              await changes.changeRule(edited, change);
              setEdited(undefined);
            }}
          />
        )}
      </Dialog>
      {filled === undefined ? null : <BackfillDialog caseId={id} rule={filled} onClose={() => setFilled(undefined)} />}
      <ConfirmDialog
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('cases.rules.removeTitle')}
        confirmLabel={t('cases.rules.remove')}
        danger
        onConfirm={async () => {
          if (removed !== undefined) await changes.write(() => caseApi.removeRule(id, removed.rule_id));
        }}
      >
        {t('cases.rules.removeText')}
      </ConfirmDialog>
    </div>
  );
}

function Life({ rule: { timeframe, expire_after_resolved: afterResolved } }: { readonly rule: CaseRule }) {
  const { t } = useTranslation();
  if (timeframe === undefined) return t('cases.rules.always');
  return t(afterResolved ? 'cases.rules.daysAfterResolved' : 'cases.rules.days', { count: timeframe });
}
