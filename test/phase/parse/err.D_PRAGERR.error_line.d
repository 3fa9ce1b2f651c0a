#error   not   here
