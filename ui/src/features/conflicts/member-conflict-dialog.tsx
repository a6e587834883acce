import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { DifferenceView } from '../../design/data/records/difference-view.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import type { Decide } from '../../design/overlays/use-question.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { memberOf } from '../../json/members.ts';
import styles from './conflicts.module.css';
import type { EditConflict } from './edit-conflict.ts';

interface Props<Values extends object> {
  readonly title: string;
  readonly conflict: EditConflict<Values>;
  /** Returns the name that people know of a member. */
  readonly nameOf: (member: keyof Values & string) => string;
  /** Returns a value in words. Default: as it is stored. */
  readonly wordsOf?: ((member: keyof Values & string, value: unknown) => unknown) | undefined;
  /** Says who wrote the other version, and when, where that is known. */
  readonly author?: ReactNode;
  readonly onDecide: Decide;
}

/** Draws a change beside what another person wrote meanwhile, and lets the person decide. */
export function MemberConflictDialog<Values extends object>(props: Props<Values>) {
  const { title, conflict, nameOf, wordsOf, author, onDecide } = props;
  const { t } = useTranslation();
  const { seen, change, present, members } = conflict;
  const shown = (member: keyof Values & string, values: object) => {
    const value = memberOf(values, member);
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
    return (wordsOf === undefined ? value : wordsOf(member, value)) ?? '';
  };
  return (
    <Dialog
      open
      onClose={() => onDecide(false)}
      title={title}
      description={t('conflict.text')}
      footer={
        <>
          <Button onClick={() => onDecide(false)}>{t('conflict.keep')}</Button>
          <Button kind="primary" onClick={() => onDecide(true)}>
            {t('conflict.apply')}
          </Button>
        </>
      }
    >
      {author}
      {members.map((member) => (
        <section key={member}>
          <h3 className={styles.member}>{nameOf(member)}</h3>
          <dl className={styles.versions}>
            <dt>{t('conflict.theirs')}</dt>
            <dd>
              <DifferenceView before={shown(member, seen)} after={shown(member, present)} />
            </dd>
            <dt>{t('conflict.yours')}</dt>
            <dd>
              <DifferenceView before={shown(member, seen)} after={shown(member, change)} />
            </dd>
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
