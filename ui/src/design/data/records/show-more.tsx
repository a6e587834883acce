import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { Button } from '../../controls/button.tsx';

const STEP = 200;

interface Props {
  readonly count: number;
  /** Default 200. */
  readonly step?: number;
  readonly children: (limit: number) => ReactNode;
}

/** Draws the first of a long list, and a button that doubles their number. */
export function ShowMore({ count, step = STEP, children }: Props) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(step);
  return (
    <>
      {children(limit)}
      {count > limit ? (
        <div>
          <Button onClick={() => setLimit(limit * 2)}>{`${t('common.more')} (${count - limit})`}</Button>
        </div>
      ) : null}
    </>
  );
}
