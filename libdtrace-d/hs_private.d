/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hs_private.d - the probes that OpenJDK's virtual machine has for its own makers. They have no arguments.
 */
provider hs_private {
	probe safepoint__begin();
	probe safepoint__end();
};

#pragma D attributes Private/Private/Common provider hs_private provider
#pragma D attributes Private/Private/Unknown provider hs_private module
#pragma D attributes Private/Private/Unknown provider hs_private function
#pragma D attributes Private/Private/Common provider hs_private name
#pragma D attributes Private/Private/Common provider hs_private args
