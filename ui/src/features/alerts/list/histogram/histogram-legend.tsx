import { ChevronDown } from 'lucide-react';
import { Button } from '../../../../design/controls/button.tsx';
import { Mark } from '../../../../design/data/marks/mark.tsx';
import { Menu } from '../../../../design/overlays/menu.tsx';
import { MenuCheck } from '../../../../design/overlays/menu-item.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import styles from '../alerts-page.module.css';
import { SPLITS, type Split } from './histogram-data.ts';
import type { ShownPart } from './shown-parts.ts';

interface Props {
  readonly split: Split;
  readonly onSplit: (split: Split) => void;
  /** Parts that the chart has. */
  readonly parts: readonly ShownPart[];
}

/** Names the colours of the chart, with the shapes of the rows, and chooses another split. */
export function HistogramLegend({ split, onSplit, parts }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.legend}>
      <Menu
        trigger={
          <Button kind="quiet" icon={ChevronDown}>
            {t('alerts.splitBy', { split: t(`alerts.splits.${split}`) })}
          </Button>
        }
      >
        {(Object.keys(SPLITS) as Split[]).map((one) => (
          <MenuCheck key={one} checked={one === split} onChange={() => onSplit(one)}>
            {t(`alerts.splits.${one}`)}
          </MenuCheck>
        ))}
      </Menu>
      <ul className={styles.parts}>
        {parts.map(({ id, appearance, label }) => (
          <li key={id}>
            <Mark appearance={appearance} label={label} />
          </li>
        ))}
      </ul>
    </div>
  );
}
