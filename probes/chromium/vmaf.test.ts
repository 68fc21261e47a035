import { expect, test } from '@playwright/test';
import { vmafIn } from './vmaf.js';

test('of three pictures VMAF is told of the second, wherever its column stands', () => {
  expect(vmafIn('Frame,integer_motion2,vmaf,\n0,0.0,97.4,\n1,20.7,61.25,\n2,20.7,100.0,\n')).toBe(61.25);
  expect(vmafIn('Frame,vmaf,integer_vif_scale0,\n0,97.4,1,\n1,0,1,\n2,100,1,\n'), '0 is a value').toBe(0);
});

test('what is not told is no VMAF of 0', () => {
  for (const table of [
    '',
    'Frame,vmaf,\n0,97.4,\n',
    'Frame,psnr,\n0,1,\n1,1,\n',
    'Frame,vmaf,\n1,,\n',
    'Frame,vmaf,\n1,nan,\n',
  ])
    expect(() => vmafIn(table), table).toThrow('no VMAF');
});
