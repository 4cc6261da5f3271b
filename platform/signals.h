// Signals as flags: the handlers only set them, the run polls them between batches.
//
//   TERM, HUP, INT   ask the run to stop at the next chance (checkpoint, then exit)
//   INT again        the person means it: _exit at once
//   USR1             ask for a progress line
//   PIPE             ignored: a closed pager is an error of write(2), not the end of an overnight
//   run
//
// A HUP or INT that was ignored when the process started stays ignored: nohup and shell background
// jobs.
#pragma once

namespace xmc {

void install_signal_handlers();
// A write to a pipe that nobody reads is an error like any other, and not the silent end of the
// process.
void ignore_broken_pipes();

// The exit status of the second INT. 75 promises a checkpoint to resume from, so whoever knows that
// there is none yet sets another one (2). 75 until set.
void set_interrupt_exit_status(int status);

bool stop_requested();
// As if this signal had come: another process was given it.
void request_stop(int signal);
int stop_signal();  // number of the first signal that asked to stop, or 0

// True once per USR1.
bool take_progress_request();

// Forgets all flags, for tests.
void clear_signal_flags();

}  // namespace xmc
