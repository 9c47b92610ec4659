'use client';

import dynamic from 'next/dynamic';
import { Skeleton } from '@/components/ui/skeleton';

// The chart library is the largest part of the page and is not needed to read the first figures.
export const ActivityChart = dynamic(
  () => import('./activity-chart').then((module) => module.ActivityChart),
  { ssr: false, loading: () => <Skeleton className="h-24 w-full" /> },
);

export const DistributionChart = dynamic(
  () => import('./distribution-chart').then((module) => module.DistributionChart),
  { ssr: false, loading: () => <Skeleton className="h-60 w-full" /> },
);

export const QuantileChart = dynamic(
  () => import('./quantile-chart').then((module) => module.QuantileChart),
  { ssr: false, loading: () => <Skeleton className="h-56 w-full" /> },
);
