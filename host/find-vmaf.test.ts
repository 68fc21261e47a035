import { expect, test } from '@playwright/test';
import { namesVmaf } from './find-vmaf.js';

const list = (filter: string) =>
  `Filters:\n  T.. = Timeline support\n ... anull A->A Pass.\n ${filter}\n ... null V->V Pass.\n`;

test('a list of filters has VMAF where one of them is that, and not where it measures its motion alone', () => {
  expect(namesVmaf(list('.. libvmaf           VV->V      Calculate the VMAF between two video streams.'))).toBe(true);
  expect(namesVmaf(list('... libvmaf           VV->V      Calculate the VMAF between two video streams.'))).toBe(true);
  expect(namesVmaf(list('... vmafmotion        V->V       Calculate the VMAF Motion score.'))).toBe(false);
  expect(namesVmaf('')).toBe(false);
});
