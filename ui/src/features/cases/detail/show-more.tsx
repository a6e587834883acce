import { type ReactNode, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { useTranslation } from '../../../i18n/translation.ts';

const STEP = 200;

interface Props {
  readonly count: number;
  readonly children: (limit: number) => ReactNode;
}

/** Draws the first 200 of a long list, and a button for further ones. */
export function ShowMore({ count, children }: Props) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(STEP);
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
