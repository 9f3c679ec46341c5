/* Swift's Glibc leaves <malloc.h> out. */
#include <malloc.h>
