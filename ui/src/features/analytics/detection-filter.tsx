import { useNavigate, useSearch } from '@tanstack/react-router';
import { Select } from '../../design/forms/choices/select.tsx';
import { useTranslation } from '../../i18n/translation.ts';

/** Returns the detection of the address; undefined: all. */
export function useDetection(): string | undefined {
  return useSearch({ from: '/analytics/$id' }).detection;
}

/** Draws the choice of the detection whose comments are shown. */
export function DetectionFilter({ detections }: { readonly detections: readonly string[] }) {
  const { t } = useTranslation();
  const detection = useDetection();
  const navigate = useNavigate({ from: '/analytics/$id' });
  if (detections.length === 0) return null;
  return (
    <Select
      label={t('saved.detection')}
      options={[
        { value: '', label: t('analytics.allDetections') },
        ...[...new Set([...detections, ...(detection === undefined ? [] : [detection])])].map((value) => ({
          value,
          label: value,
        })),
      ]}
      value={detection ?? ''}
      onChange={(next) =>
        void navigate({
          search: (before) => ({ ...before, detection: next === '' ? undefined : next }),
          replace: true,
        })
      }
    />
  );
}
